package io.volume4j.inmemory.attach;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.volume4j.inmemory.plugin.PluginCall;
import io.volume4j.spi.host.ClusterException;
import io.volume4j.spi.host.ClusterException.Reason;
import io.volume4j.spi.host.LeaderEpoch;
import io.volume4j.spi.model.AccessMode;
import io.volume4j.spi.model.Kind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Two controllers and one lease: what a leader leaves when it ends, at every step and with every write. */
class AttachLeaderTest {
    private static final AccessMode RWO = AccessMode.READ_WRITE_ONCE;
    private static final Duration SOON = Duration.ofMinutes(2);

    /** The lease ends after any number of steps, and no other process leads: from then on nothing is sent and nothing written. */
    @ParameterizedTest(name = "with the names of Kubernetes: {0}")
    @ValueSource(booleans = {false, true})
    void sendsNothingOnceItsLeaseHasEnded(boolean kubernetesNames) {
        int ends = 0;
        for (int steps = 0; ; steps++) {
            AttachHarness cluster = cluster(kubernetesNames);
            Lease lease = new Lease(cluster.world);
            boolean over = !moved(cluster, lease, steps);
            lease.give("none");
            List<String> sent = cluster.controlCalls();
            int written = cluster.the("a").link.writes();

            cluster.world.advance(SOON);

            assertThat(cluster.controlCalls()).as("calls after " + steps).isEqualTo(sent);
            assertThat(cluster.the("a").link.writes())
                    .as("writes after " + steps)
                    .isEqualTo(written);
            if (over) {
                break;
            }
            ends++;
        }
        assertThat(ends).as("moments at which the lease ended").isGreaterThan(40);
    }

    /**
     * Each of its writes in turn is not heard of again, another leads and goes on, and then the write arrives: it is refused,
     * and the volume is where it was. Only a record under Kubernetes' name for the other node is stored, and is not carried out.
     */
    @ParameterizedTest(name = "with the names of Kubernetes: {0}")
    @ValueSource(booleans = {false, true})
    void refusesEachWriteThatComesLate(boolean kubernetesNames) {
        List<Reason> refused = new ArrayList<>();
        int arrived = 0;
        for (int write = 0; ; write++) {
            AttachHarness cluster = cluster(kubernetesNames);
            Lease lease = new Lease(cluster.world);
            cluster.node("n1").node("n2").volume("v", RWO);
            lease.give("a");
            cluster.controller("a", lease.of("a")).controller("b", lease.of("b"));
            cluster.the("a").link.lose(write);
            boolean[] given = {false};
            move(cluster, () -> {
                if (cluster.the("a").link.late() != null && !given[0]) {
                    given[0] = true;
                    lease.give("b");
                }
            });
            Runnable late = cluster.the("a").link.late();
            if (late == null) {
                break;
            }
            assertMoved(cluster, "write " + write);
            ClusterException failure = catchThrowableOfType(ClusterException.class, late::run);
            if (failure == null) {
                arrived++;
            } else {
                refused.add(failure.reason());
            }
            cluster.world.advance(SOON);
            assertMoved(cluster, "late write " + write);
        }
        assertThat(arrived).as("writes that were done late").isEqualTo(kubernetesNames ? 1 : 0);
        assertThat(refused).hasSizeGreaterThan(8).isSubsetOf(Reason.CONFLICT, Reason.NOT_FOUND, Reason.ALREADY_EXISTS);
    }

    /**
     * Two controllers that no lease keeps apart: one does not hear of node n1 and of attachments, so nothing tells it that the other one
     * attached the volume there.
     */
    @ParameterizedTest(name = "with the names of Kubernetes: {0}")
    @ValueSource(booleans = {false, true})
    void givesAVolumeToOneNodeHoweverOldItsViewIs(boolean kubernetesNames) {
        AttachHarness cluster = cluster(kubernetesNames);
        cluster.node("n2").volume("v", RWO);
        cluster.controller("a", LeaderEpoch.alone())
                .controller("b", LeaderEpoch.alone())
                .settle();
        for (Kind kind : List.of(Kind.NODE, Kind.VOLUME_ATTACHMENT, Kind.PERSISTENT_VOLUME)) {
            cluster.the("b").link.hide(kind);
        }
        cluster.node("n1").pod("p", "n1", "v").settle();
        cluster.pod("q", "n2", "v").settle();

        assertThat(cluster.attached("v")).containsExactly("n1");
        assertThat(cluster.storage.violations()).isEmpty();

        cluster.the("b").link.mend();
        cluster.deletePod("p");
        cluster.world.advance(SOON.multipliedBy(5));

        assertThat(cluster.attached("v")).containsExactly("n2");
        assertThat(cluster.on("n2").mounted("q").volumes()).hasSize(1);
        assertThat(cluster.storage.violations()).isEmpty();
    }

    private static AttachHarness cluster(boolean kubernetesNames) {
        AttachHarness cluster = new AttachHarness(1);
        cluster.options = cluster.options.withKubernetesNames(kubernetesNames);
        return cluster;
    }

    /** False if the scenario was over before as many steps were made. */
    private static boolean moved(AttachHarness cluster, Lease lease, int steps) {
        cluster.node("n1").node("n2").volume("v", RWO);
        lease.give("a");
        cluster.controller("a", lease.of("a")).controller("b", lease.of("b"));
        cluster.pod("p", "n1", "v");
        for (int i = 0; i < steps / 2; i++) {
            cluster.world.step();
        }
        cluster.deletePod("p");
        cluster.pod("q", "n2", "v");
        boolean more = true;
        for (int i = 0; i < steps - steps / 2 && more; i++) {
            more = cluster.world.step();
        }
        return more;
    }

    private static void move(AttachHarness cluster, Runnable afterEachStep) {
        cluster.pod("p", "n1", "v");
        run(cluster, afterEachStep);
        cluster.deletePod("p");
        cluster.pod("q", "n2", "v");
        run(cluster, afterEachStep);
    }

    private static void run(AttachHarness cluster, Runnable afterEachStep) {
        for (int second = 0; second < 60; second++) {
            while (cluster.world.step()) {
                afterEachStep.run();
            }
            cluster.world.advance(Duration.ofSeconds(1));
        }
    }

    private static void assertMoved(AttachHarness cluster, String when) {
        assertThat(cluster.on("n2").mounted("q").volumes()).as(when).hasSize(1);
        assertThat(cluster.attached("v")).as(when).containsExactly("n2");
        assertThat(cluster.records()).as(when).hasSize(1);
        assertThat(cluster.attachedTo("n1")).as(when).isEmpty();
        assertThat(cluster.attachedTo("n2")).as(when).containsExactly("mem^h-v");
        assertThat(cluster.storage.violations()).as(when).isEmpty();
        assertThat(cluster.storage.calls().stream()
                        .filter(call -> call.outcome().equals("ok"))
                        .map(PluginCall::text)
                        .filter(text -> text.startsWith("detach")))
                .as("detached once " + when)
                .hasSizeLessThanOrEqualTo(2);
    }
}
