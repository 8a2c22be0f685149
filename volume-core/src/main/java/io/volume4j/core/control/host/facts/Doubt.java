package io.volume4j.core.control.host.facts;

import io.volume4j.spi.FailureKind;
import io.volume4j.spi.VolumeException;

/** What is known of the effects of earlier calls that this process or an earlier leader made for one object. */
public enum Doubt {
    /** This process's calls had none, or a later one accounted for it; of an earlier leader's calls nothing is known. */
    NONE,
    /** A call may have had one. */
    OPEN,
    /** A call proved that there is none, of an earlier leader's calls either. */
    DISPROVED;

    /** A failure speaks for its own call only, unless it proves more. */
    public Doubt after(VolumeException failure) {
        if (failure.provesAbsent()) {
            return DISPROVED;
        }
        return failure.kind() == FailureKind.UNCERTAIN ? OPEN : this;
    }

    /** @param inherited whether an earlier leader may have made a call */
    public boolean open(boolean inherited) {
        return this == OPEN || (inherited && this != DISPROVED);
    }
}
