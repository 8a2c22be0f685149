package io.volume4j.core.lease;

import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.spi.host.ClusterException;
import io.volume4j.spi.host.ClusterException.Reason;
import io.volume4j.spi.model.ObjectKey;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a user is told to do about a lease that cannot be read or renewed. */
class LeaseAdviceTest {
    private static final ObjectKey LEASE = ObjectKey.lease("volumes", "leader");

    @ParameterizedTest
    @CsvSource({
        "FORBIDDEN, 'allow get, create and patch of leases in namespace volumes'",
        "NOT_FOUND, create namespace volumes if it does not exist",
        "INVALID, correct the name of the lease or the identity of this process",
        "UNAVAILABLE, look whether the cluster can be reached",
    })
    void fitsTheReason(Reason reason, String advice) {
        assertThat(LeaseAgent.advice(LEASE, new ClusterException(reason, "no"))).isEqualTo(advice);
    }

    @Test
    void isToLookAtTheWayToTheClusterWhereNothingElseIsKnown() {
        assertThat(LeaseAgent.advice(LEASE, new IllegalStateException("closed")))
                .isEqualTo("look whether the cluster can be reached");
    }
}
