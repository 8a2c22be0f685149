package io.volume4j.core.control.binding;

import io.volume4j.spi.model.ObjectKey;

/** Everything that deciding about one object needs. A value. */
public sealed interface BindingView permits ClaimView, VolumeView {
    ObjectKey key();
}
