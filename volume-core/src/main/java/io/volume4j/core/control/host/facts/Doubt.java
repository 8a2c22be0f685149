package io.volume4j.core.control.host.facts;

import io.volume4j.spi.FailureKind;
import io.volume4j.spi.VolumeException;

/**
 * The knowledge about the effects of earlier calls for one object. This process or an earlier leader made these
 * calls.
 */
public enum Doubt {
    /**
     * This process's calls had no effect, or a later call settled their effect. This process knows nothing about
     * calls of an earlier leader.
     */
    NONE,
    /** A call may have had an effect. */
    OPEN,
    /** A call proved that no effect exists, neither of this process's calls nor of an earlier leader's calls. */
    DISPROVED;

    /**
     * The knowledge after a failed call. A failure says something about its own call only, unless it proves that no
     * effect exists.
     */
    public Doubt after(VolumeException failure) {
        if (failure.provesAbsent()) {
            return DISPROVED;
        }
        return failure.kind() == FailureKind.UNCERTAIN ? OPEN : this;
    }

    /**
     * Whether an effect may exist that nothing has settled.
     * @param inherited whether an earlier leader may have made a call
     */
    public boolean open(boolean inherited) {
        return this == OPEN || (inherited && this != DISPROVED);
    }
}
