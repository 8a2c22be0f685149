package io.volume4j.core.control.binding.plan;

import io.volume4j.spi.model.ObjectKey;

/** Everything that deciding about one object needs. A value. */
public interface BindingView {
    ObjectKey key();
}
