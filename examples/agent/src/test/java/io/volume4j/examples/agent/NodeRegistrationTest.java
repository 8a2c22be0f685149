package io.volume4j.examples.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.volume4j.inmemory.cluster.ClusterFault;
import io.volume4j.inmemory.cluster.ClusterVerb;
import io.volume4j.inmemory.cluster.InMemoryCluster;
import io.volume4j.spi.host.Patch;
import io.volume4j.spi.host.Patch.FieldChange;
import io.volume4j.spi.host.Preconditions;
import io.volume4j.spi.model.Node;
import io.volume4j.spi.model.ObjectKey;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A node is ready when its agent has registered it, whatever fails on the way. */
@Timeout(60)
class NodeRegistrationTest {
    private static final Duration SOON = Duration.ofSeconds(50);
    private static final ObjectKey NODE = ObjectKey.node("n1");

    private final InMemoryCluster cluster = InMemoryCluster.create();
    private final ScheduledThreadPoolExecutor executor = new ScheduledThreadPoolExecutor(1);

    @AfterEach
    void end() {
        executor.shutdownNow();
    }

    @Test
    void isReadyAlsoIfTheFirstWriteOfItsStatusFails() throws Exception {
        cluster.fail(ClusterFault.on(ClusterVerb.PATCH_STATUS).of(NODE).times(1));
        register(executor, false);
        await().atMost(SOON).until(this::ready);
    }

    @Test
    void isReadyAlsoIfAnEarlierProcessEndedBeforeItSaidSo() throws Exception {
        cluster.fail(ClusterFault.on(ClusterVerb.PATCH_STATUS).of(NODE).always());
        ScheduledThreadPoolExecutor earlier = new ScheduledThreadPoolExecutor(1);
        register(earlier, false);
        earlier.shutdownNow();
        assertThat(earlier.awaitTermination(1, TimeUnit.MINUTES)).isTrue();
        assertThat(ready()).isFalse();
        cluster.heal();
        register(executor, false);
        assertThat(ready()).isTrue();
    }

    @Test
    void whatAnotherProgramSaysOfItStays() throws Exception {
        register(executor, false);
        say("Unknown");
        register(executor, false);
        assertThat(ready()).isFalse();
    }

    /** In etcd an agent with a lease may have left the word of its lease's end. */
    @Test
    void isReadyIfNoOtherProgramMaintainsIt() throws Exception {
        register(executor, true);
        say("Unknown");
        register(executor, true);
        assertThat(ready()).isTrue();
    }

    private void say(String status) {
        cluster.patch(
                NODE,
                new Patch(
                        Preconditions.none(),
                        true,
                        List.of(FieldChange.set(
                                List.of(Map.of("type", "Ready", "status", status)), "status", "conditions"))));
    }

    private boolean ready() {
        return ((Node) cluster.get(NODE).orElseThrow()).status().ready();
    }

    /** Returns after the first attempt. */
    private void register(ScheduledThreadPoolExecutor on, boolean soleMaintainer) throws Exception {
        new NodeRegistration(cluster, cluster, "n1", on, new Pauses(new SplittableRandom(1)), soleMaintainer).start();
        on.submit(() -> {}).get();
    }
}
