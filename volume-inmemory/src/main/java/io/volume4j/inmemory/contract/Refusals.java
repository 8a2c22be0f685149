package io.volume4j.inmemory.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.volume4j.spi.FailureKind;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.host.ClusterException;
import org.junit.jupiter.api.function.Executable;

/** Assertions about failures of calls. */
final class Refusals {
    private Refusals() {}

    static VolumeException assertFails(FailureKind kind, Executable call) {
        VolumeException failure = assertThrows(VolumeException.class, call);
        assertEquals(kind, failure.kind(), failure::getMessage);
        return failure;
    }

    /** Asserts that the cluster refuses the call for this reason. */
    static void assertRefused(ClusterException.Reason reason, Executable call) {
        ClusterException refusal = assertThrows(ClusterException.class, call);
        assertEquals(reason, refusal.reason(), refusal.getMessage());
    }

    /** Asserts that the call fails with a certain outcome, for any reason. */
    static void assertRefused(Executable call) {
        VolumeException failure = assertThrows(VolumeException.class, call);
        assertNotEquals(FailureKind.UNCERTAIN, failure.kind(), failure::getMessage);
    }
}
