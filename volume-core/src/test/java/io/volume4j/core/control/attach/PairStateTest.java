package io.volume4j.core.control.attach;

import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.core.control.attach.plan.AttachKey;
import io.volume4j.spi.VolumeId;
import org.junit.jupiter.api.Test;

/** What of one volume on one node counts against other nodes and other volumes. */
class PairStateTest {
    private static final VolumeId VOLUME = VolumeId.shared("mem", "v");

    private final PairState pair =
            new PairState(new AttachKey.Pair(VOLUME, "n1"), new VolumeState(VOLUME), new NodeState("n1"));

    @Test
    void aRecordThatMayHaveBeenMadeKeepsItsPlaceWhileItIsWanted() {
        pair.addPod("a");
        pair.addPod("b");
        pair.maybeCreated(true);
        pair.removePod("a");

        assertThat(pair.occupied()).isTrue();
    }

    @Test
    void aPodCanBeRemovedTwice() {
        pair.addPod("a");
        pair.removePod("a");
        pair.removePod("a");

        assertThat(pair.wanted()).isFalse();
    }

    @Test
    void thePlaceDoesNotComeBackWithTheNextPod() {
        pair.addPod("a");
        pair.maybeCreated(true);
        pair.removePod("a");
        pair.addPod("b");

        assertThat(pair.occupied()).isFalse();
    }

    @Test
    void norIsItKeptByACreationThatEndedWhenNoClaimWantedIt() {
        pair.maybeCreated(true);
        pair.addPod("b");

        assertThat(pair.occupied()).isFalse();
    }
}
