package io.volume4j.examples.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.volume4j.inmemory.host.ManualCallContext;
import io.volume4j.spi.host.ClusterException;
import io.volume4j.spi.host.ClusterException.Reason;
import io.volume4j.spi.host.ClusterSource;
import io.volume4j.spi.host.ClusterWriter;
import io.volume4j.spi.host.Fence;
import io.volume4j.spi.host.Patch;
import io.volume4j.spi.host.Preconditions;
import io.volume4j.spi.host.Selection;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.Node;
import io.volume4j.spi.model.ObjectKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a node's lease and its word prove, and what they do not. */
class EtcdNodeLeaseTest {
    private static final Duration TTL = Duration.ofSeconds(30);

    private final AtomicLong clock = new AtomicLong(1_000_000);
    private EtcdServer server;
    private EtcdClient etcd;
    private EtcdNodeLease lease;

    @BeforeEach
    void start() {
        server = EtcdServer.start();
        etcd = server.client();
        lease = lease("m1");
    }

    @AfterEach
    void stop() {
        if (server != null) {
            etcd.close();
            server.close();
        }
    }

    private EtcdNodeLease lease(String machine) {
        return new EtcdNodeLease(etcd, "n1", machine, TTL, false, clock::get);
    }

    @ParameterizedTest(name = "{0}, guard {1}, lease {2}")
    @CsvSource({
        "SERVING, NONE,     true,  no",
        "SERVING, NONE,     false, no",
        "SERVING, WATCHDOG, true,  no",
        "SERVING, WATCHDOG, false, its watchdog resets the machine",
        "FENCED,  NONE,     true,  wrote that it unmounted",
        "FENCED,  NONE,     false, wrote that it unmounted",
        "FENCED,  WATCHDOG, false, wrote that it unmounted",
    })
    void evidence(NodeWord.State state, NodeWord.Guard guard, boolean leased, String expected) {
        Optional<String> evidence = EtcdFencing.evidence("n1", new NodeWord("l", "m", state, guard), leased);
        if (expected.equals("no")) {
            assertThat(evidence).isEmpty();
        } else {
            assertThat(evidence).hasValueSatisfying(text -> assertThat(text).contains(expected));
        }
    }

    @Test
    void aLeaseThatEndedIsEvidenceOnlyWithAWatchdog() {
        lease.begin("l1", false);
        revoke();
        assertThat(fence()).isEmpty();

        lease.begin("l2", true);
        assertThat(fence()).isEmpty();
        revoke();
        assertThat(fence())
                .hasValueSatisfying(fence -> assertThat(fence.kind()).isEqualTo(Fence.Kind.SELF_FENCED_LEASE));
    }

    @Test
    void theNodesOwnWordIsEvidenceUntilItsNextLifeBegins() {
        lease.begin("l1", false);
        lease.fenced();
        assertThat(fence())
                .hasValueSatisfying(fence -> assertThat(fence.evidence()).contains("wrote that it unmounted"));
        lease.fenced();

        lease.begin("l2", false);
        assertThat(fence()).isEmpty();
    }

    /** Such as a request that was on its way for long. */
    @Test
    void anEarlierLifesWordIsNotWrittenOverALaterLifes() {
        lease.begin("l1", false);
        EtcdNodeLease restarted = lease("m1");
        restarted.begin("l2", false);
        assertThatThrownBy(() -> lease.fenced()).hasMessageContaining("another life of the node has begun");
        assertThat(fence()).isEmpty();
    }

    @Test
    void anotherMachineOfTheSameNameIsRefusedWhileTheLeaseLasts() {
        lease.begin("l1", false);
        for (EtcdNodeLease other : List.of(lease("m2"), lease("m2").replacingAnotherMachine())) {
            assertConflict(() -> other.begin("l2", false), "machine m1 has it");
            assertConflict(other::forget, "machine m1 has it");
        }
        assertThat(lease.renew()).isTrue();
        lease.fenced();
        assertThat(fence()).as("its word is its own still").isPresent();
    }

    /** What was mounted under the lease may be mounted still, and a machine that takes the name knows nothing of it. */
    @Test
    void aLeaseThatEndedIsNotTakenFromAnotherMachineWithoutEvidence() {
        lease.begin("l1", false);
        lease.end();
        EtcdNodeLease other = lease("m2");
        assertConflict(() -> other.begin("l2", false), "machine m1 had it last");
        assertConflict(other::forget, "machine m1 had it last");

        lease.begin("l3", false);
        lease.fenced();
        lease.end();
        other.begin("l4", false);
        assertThat(other.sureFor()).isPositive();
    }

    @Test
    void aPersonMaySayThatAMachineReplacesTheOneThatHadTheNameLast() {
        lease.begin("l1", false);
        lease.end();
        EtcdNodeLease other = lease("m2").replacingAnotherMachine();
        other.begin("l2", false);
        assertThat(other.sureFor()).isPositive();
    }

    /** The first machine was stopped for longer than its lease, and a person gave its name away. */
    @Test
    void aMachineWhoseNameWasTakenMeanwhileNeitherRenewsNorBeginsNorSpeaks() {
        lease.begin("l1", false);
        revoke();
        lease("m2").replacingAnotherMachine().begin("l2", false);

        assertThat(lease.renew()).isFalse();
        assertConflict(lease::fenced, "another life of the node has begun");
        assertConflict(() -> lease.begin("l3", false), "machine m2 has it");
        revoke();
        assertConflict(() -> lease.begin("l3", false), "machine m2 had it last");
        assertThat(fence()).isEmpty();
    }

    /** A copy of a machine has its identity, too: etcd's lease lasts, but its key is another's. */
    @Test
    void aLeaseWhoseKeyIsAnothersIsNotRenewed() {
        lease.begin("l1", false);
        lease("m1").begin("l2", false);
        assertThat(lease.renew()).isFalse();
        assertThat(lease.sureFor()).isZero();
    }

    private static void assertConflict(ThrowingCallable call, String said) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        ClusterException.class,
                        refused -> assertThat(refused.reason()).isEqualTo(Reason.CONFLICT))
                .hasMessageContaining(said);
    }

    @Test
    void aNodeIsSureForATenthLessThanItsLeaseCountedFromBeforeItAsked() {
        lease.begin("l1", false);
        assertThat(lease.sureFor()).isEqualTo(Duration.ofSeconds(27));
        clock.addAndGet(TimeUnit.SECONDS.toNanos(20));
        assertThat(lease.sureFor()).isEqualTo(Duration.ofSeconds(7));
        assertThat(lease.renew()).isTrue();
        assertThat(lease.sureFor()).isEqualTo(Duration.ofSeconds(27));
        revoke();
        assertThat(lease.renew()).isFalse();
        assertThat(lease.sureFor()).isZero();
    }

    @Test
    void anAgentThatDoesNotFenceItselfTakesBackWhatAnEarlierLifeSaid() {
        lease.begin("l1", true);
        lease.fenced();
        lease.forget();
        assertThat(fence()).isEmpty();
    }

    @Test
    void anAgentThatStopsLeavesNoPromiseOfAWatchdog() {
        lease.begin("l1", true);
        lease.unguarded();
        lease.end();
        assertThat(fence()).isEmpty();
    }

    @Test
    void aNodeWhoseLeaseEndedIsNotReadyUntilItSaysSoAgain() {
        EtcdCluster cluster = EtcdCluster.builder(etcd).build();
        cluster.create(TestObjects.node("n1"));
        EtcdNodeHealth health = new EtcdNodeHealth(etcd, cluster, () -> true);
        lease.begin("l1", false);
        assertThat(EtcdNodeHealth.markReady(cluster, "n1")).isTrue();
        health.look();
        assertThat(ready(cluster)).isTrue();

        revoke();
        health.look();
        assertThat(ready(cluster)).isFalse();

        lease.begin("l2", false);
        EtcdNodeHealth.markReady(cluster, "n1");
        health.look();
        assertThat(ready(cluster)).isTrue();
        assertThat(EtcdNodeHealth.markReady(cluster, "unknown")).isFalse();
        health.close();
    }

    @Test
    void theOtherConditionsOfANodeStay() {
        EtcdCluster cluster = EtcdCluster.builder(etcd).build();
        cluster.create(TestObjects.node("n1"));
        lease.begin("l1", false);
        EtcdNodeHealth.markReady(cluster, "n1");
        List<Map<String, Object>> ofAnother = new ArrayList<>();
        ofAnother.add(Map.of("type", "DiskPressure", "status", "False"));
        ofAnother.add(Map.of("type", "Ready", "status", "False", "reason", "Starts"));
        ofAnother.add(Map.of("type", "KernelDeadlock", "status", "True", "message", "task hung"));
        cluster.patch(
                ObjectKey.node("n1"),
                new Patch(
                        Preconditions.none(), true, List.of(Patch.FieldChange.set(ofAnother, "status", "conditions"))));

        EtcdNodeHealth.markReady(cluster, "n1");
        assertThat(conditions(cluster)).containsExactly("DiskPressure False", "Ready True", "KernelDeadlock True");

        revoke();
        try (EtcdNodeHealth health = new EtcdNodeHealth(etcd, cluster, () -> true)) {
            health.look();
        }
        assertThat(conditions(cluster)).containsExactly("DiskPressure False", "Ready Unknown", "KernelDeadlock True");
    }

    private static List<String> conditions(EtcdCluster cluster) {
        Map<?, ?> document =
                cluster.readLive(ObjectKey.node("n1")).orElseThrow().unmodeled().document();
        Map<?, ?> status = (Map<?, ?>) Objects.requireNonNull(document.get("status"));
        List<String> conditions = new ArrayList<>();
        for (Object each : (List<?>) Objects.requireNonNull(status.get("conditions"))) {
            Map<?, ?> condition = (Map<?, ?>) each;
            conditions.add(condition.get("type") + " " + condition.get("status"));
        }
        return conditions;
    }

    /** Another program writes its condition between the read and the write. */
    @Test
    void aNodeIsReadyAlthoughAnotherProgramWritesItsObject() {
        EtcdCluster cluster = EtcdCluster.builder(etcd).build();
        cluster.create(TestObjects.node("n1"));
        AtomicBoolean written = new AtomicBoolean();
        List<Map<String, String>> pressure = List.of(Map.of("type", "DiskPressure", "status", "True"));
        Before raced = new Before(cluster, () -> {
            if (!written.getAndSet(true)) {
                cluster.patch(
                        ObjectKey.node("n1"),
                        new Patch(
                                Preconditions.none(),
                                true,
                                List.of(Patch.FieldChange.set(pressure, "status", "conditions"))));
            }
        });

        assertThat(EtcdNodeHealth.markReady(raced, "n1")).isTrue();
        assertThat(conditions(cluster)).containsExactly("DiskPressure True", "Ready True");
    }

    /** The node's own word changed nothing, so the revision that was read still stands. */
    @Test
    void aNodeThatComesBackWhileItIsMarkedIsReady() {
        EtcdCluster cluster = EtcdCluster.builder(etcd).build();
        cluster.create(TestObjects.node("n1"));
        lease.begin("l1", false);
        EtcdNodeHealth.markReady(cluster, "n1");
        revoke();
        AtomicBoolean back = new AtomicBoolean();
        EtcdNodeHealth health = new EtcdNodeHealth(
                etcd,
                new Before(cluster, () -> {
                    if (!back.getAndSet(true)) {
                        lease.begin("l2", false);
                        EtcdNodeHealth.markReady(cluster, "n1");
                    }
                }),
                () -> true);
        health.look();
        assertThat(back).isTrue();
        assertThat(ready(cluster)).isTrue();
        health.close();
    }

    /** A cluster where something happens before each patch. */
    private record Before(EtcdCluster cluster, Runnable happens) implements ClusterSource, ClusterWriter {
        @Override
        public Listing list(Kind kind, Selection selection) {
            return cluster.list(kind, selection);
        }

        @Override
        public Watch watch(Kind kind, Selection selection, String revision, WatchListener listener) {
            return cluster.watch(kind, selection, revision, listener);
        }

        @Override
        public Optional<ApiObject> readLive(ObjectKey key) {
            return cluster.readLive(key);
        }

        @Override
        public ApiObject create(ApiObject object) {
            return cluster.create(object);
        }

        @Override
        public ApiObject patch(ObjectKey key, Patch patch) {
            happens.run();
            return cluster.patch(key, patch);
        }

        @Override
        public void delete(ObjectKey key, Preconditions preconditions) {
            cluster.delete(key, preconditions);
        }
    }

    private static boolean ready(EtcdCluster cluster) {
        return ((Node) cluster.readLive(ObjectKey.node("n1")).orElseThrow())
                .status()
                .ready();
    }

    private Optional<Fence> fence() {
        return new EtcdFencing(etcd).fence("n1", new ManualCallContext());
    }

    /** As etcd does when the time is over. */
    private void revoke() {
        long id = etcd.await("read", etcd.client().getKVClient().get(etcd.keys().ofNodeLease("n1")))
                .getKvs()
                .get(0)
                .getLease();
        etcd.await("revoke", etcd.client().getLeaseClient().revoke(id));
    }
}
