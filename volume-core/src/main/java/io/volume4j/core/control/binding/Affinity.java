package io.volume4j.core.control.binding;

import io.volume4j.spi.model.NodeSelector;
import org.jspecify.annotations.Nullable;

/** A node affinity as a key: its hash is computed once, because whoever looks at many nodes looks it up for each. */
public final class Affinity {
    private final NodeSelector selector;
    private final int hash;

    public Affinity(NodeSelector selector) {
        this.selector = selector;
        this.hash = selector.hashCode();
    }

    public NodeSelector selector() {
        return selector;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return this == other
                || (other instanceof Affinity affinity && hash == affinity.hash && selector.equals(affinity.selector));
    }

    @Override
    public int hashCode() {
        return hash;
    }

    @Override
    public String toString() {
        return selector.toString();
    }
}
