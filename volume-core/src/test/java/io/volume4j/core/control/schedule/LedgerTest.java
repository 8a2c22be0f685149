package io.volume4j.core.control.schedule;

import static io.volume4j.core.control.schedule.GivenCluster.capacity;
import static io.volume4j.core.control.schedule.GivenCluster.claim;
import static io.volume4j.core.control.schedule.GivenCluster.driverThatTracksCapacity;
import static io.volume4j.core.control.schedule.GivenCluster.node;
import static io.volume4j.core.control.schedule.GivenCluster.pod;
import static io.volume4j.core.control.schedule.GivenCluster.waitingClass;
import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.spi.model.Kind;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** When bytes of a pool that were promised come back. The pool has 10Gi, each claim asks for 6Gi. */
class LedgerTest {
    private static final String SELECTED = claim("c1", "wait", "6Gi")
            .replace("{name: c1}", "{name: c1, annotations: {volume.kubernetes.io/selected-node: n1}}");
    private static final String BOUND = claim("c1", "wait", "6Gi")
            .replace(
                    "{name: c1}",
                    "{name: c1, annotations: {volume.kubernetes.io/selected-node: n1, pv.kubernetes.io/bind-completed: 'yes'}}")
            .replace("storageClassName", "volumeName: made, storageClassName");

    private final GivenCluster cluster = new GivenCluster();

    @BeforeEach
    void twoPodsForOnePool() {
        cluster.given(node("n1", "zone: a")
                + waitingClass("wait", "d.example.com")
                + driverThatTracksCapacity()
                + capacity("pool", "wait", "a", "10Gi")
                + claim("c1", "wait", "6Gi")
                + claim("c2", "wait", "6Gi")
                + pod("p1", "c1")
                + pod("p2", "c2"));
    }

    @Test
    void sumsWhatPodsWerePromisedThatAreDecidedAtTheSameTime() {
        assertThat(cluster.reserve("p1", "n1")).isPresent();

        assertThat(cluster.reserve("p2", "n1")).isEmpty();
        assertThat(cluster.reserve("p1", "n1")).as("again is the same").isPresent();
    }

    @Test
    void givesBackWhatWasNeverWritten() {
        cluster.reserve("p1", "n1");
        cluster.unreserve("p1");
        cluster.unreserve("p1");

        assertThat(cluster.reserve("p2", "n1")).isPresent();
    }

    @Test
    void keepsWhatWasWrittenAlthoughThePodGaveItBack() {
        cluster.reserve("p1", "n1");
        cluster.given(SELECTED);
        cluster.unreserve("p1");

        assertThat(cluster.reserve("p2", "n1")).isEmpty();
    }

    /** The pod was promised a node of one zone, and another scheduler wrote one of the other zone to its claim. */
    @Test
    void movesBytesToThePoolOfTheNodeThatTheClaimNames() {
        cluster.given(node("n2", "zone: b") + capacity("pool-b", "wait", "b", "10Gi"));
        assertThat(cluster.reserve("p1", "n2")).isPresent();

        cluster.given(SELECTED);

        assertThat(cluster.fitting("p2", "n1", "n2")).containsExactly("n2");
    }

    @Test
    void takesPromisesOverFromTheClusterAfterAStart() {
        GivenCluster restarted = new GivenCluster();
        restarted.given(SELECTED
                + claim("c2", "wait", "6Gi")
                + pod("p2", "c2")
                + waitingClass("wait", "d.example.com")
                + driverThatTracksCapacity()
                + capacity("pool", "wait", "a", "10Gi"));
        restarted.given(node("n1", "zone: a"));

        assertThat(restarted.fitting("p2", "n1")).isEmpty();
    }

    @Test
    void givesBackWhenTheProvisionerGivesTheNodeBack() {
        cluster.reserve("p1", "n1");
        cluster.given(SELECTED);
        cluster.unreserve("p1");
        cluster.given(claim("c1", "wait", "6Gi"));

        assertThat(cluster.reserve("p2", "n1")).isPresent();
    }

    @Test
    void givesBackWhenTheClaimIsGone() {
        cluster.given(SELECTED);
        assertThat(cluster.fitting("p2", "n1")).isEmpty();

        cluster.remove(Kind.PERSISTENT_VOLUME_CLAIM, "c1");

        assertThat(cluster.fitting("p2", "n1")).containsExactly("n1");
    }

    @Test
    void countsAVolumeOnceWhenTheDriverHasPublishedWithoutIt() {
        cluster.reserve("p1", "n1");
        cluster.given(SELECTED);
        cluster.given(BOUND);
        assertThat(cluster.fitting("p2", "n1"))
                .as("made, but published 10Gi before")
                .isEmpty();

        cluster.given(capacity("pool", "wait", "a", "4Gi"));
        assertThat(cluster.fitting("p2", "n1"))
                .as("what is published counts it")
                .isEmpty();

        cluster.given(capacity("pool", "wait", "a", "6Gi"));
        assertThat(cluster.fitting("p2", "n1"))
                .as("and nothing counts it twice")
                .containsExactly("n1");
    }

    @Test
    void doesNotWaitForeverForADriverThatHasNothingNewToPublish() {
        cluster.given(SELECTED);
        cluster.given(BOUND);
        cluster.pass(Ledger.PUBLISHED_WITHIN.minus(Duration.ofSeconds(1)));
        assertThat(cluster.fitting("p2", "n1")).isEmpty();

        cluster.pass(Duration.ofSeconds(1));

        assertThat(cluster.fitting("p2", "n1")).containsExactly("n1");
    }

    @Test
    void forgetsAPodThatIsGone() {
        cluster.reserve("p1", "n1");
        cluster.remove(Kind.POD, "p1");

        assertThat(cluster.reserve("p2", "n1")).isPresent();
        assertThat(cluster.world.ledger().size()).isEqualTo(1);
    }
}
