package io.volume4j.core.control.binding.plan;

import io.volume4j.spi.model.ObjectKey;

/** All facts for the decision about one object. A value. */
public interface BindingView {
    ObjectKey key();
}
