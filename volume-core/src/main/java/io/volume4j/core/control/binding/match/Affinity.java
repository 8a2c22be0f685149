package io.volume4j.core.control.binding.match;

import io.volume4j.spi.model.NodeSelector;
import org.jspecify.annotations.Nullable;

/**
 * A node affinity as a key: its hash is computed once, because a caller that looks at many nodes looks it up for each. One that
 * volumes have, as {@link AvailableVolumes} gives it out, has a number too, so that what belongs to it stands in arrays.
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

    /** The same with a number, which no other affinity has as long as any volume has the affinity. */
    Affinity numbered(int value) {
        return new Affinity(selector, hash, value);
    }

    /** Negative for one without. */
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
