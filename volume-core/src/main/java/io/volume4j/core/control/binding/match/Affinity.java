package io.volume4j.core.control.binding.match;

import io.volume4j.spi.model.NodeSelector;
import org.jspecify.annotations.Nullable;

/**
 * A node affinity as a key. Its hash is computed once, because a caller may look it up for each of many nodes. An affinity from
 * {@link AvailableVolumes} also has a number, which serves as an index into arrays.
 */
public final class Affinity {
    private final NodeSelector selector;
    private final int hash;
    private final int number;

    public Affinity(NodeSelector selector) {
        this(selector, selector.hashCode(), -1);
    }

    private Affinity(NodeSelector selector, int hash, int number) {
        this.selector = selector;
        this.hash = hash;
        this.number = number;
    }

    /** A copy with a number. While a volume has the affinity, no other affinity has this number. */
    Affinity numbered(int value) {
        return new Affinity(selector, hash, value);
    }

    /** Negative for an affinity without number. */
    int number() {
        return number;
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
