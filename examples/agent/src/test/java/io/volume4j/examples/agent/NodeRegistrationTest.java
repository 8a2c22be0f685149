package io.volume4j.examples.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.volume4j.core.codec.Manifests;
import io.volume4j.inmemory.cluster.ClusterFault;
import io.volume4j.inmemory.cluster.ClusterVerb;
import io.volume4j.inmemory.cluster.InMemoryCluster;
import io.volume4j.spi.host.ClusterWriter;
import io.volume4j.spi.host.Patch;
import io.volume4j.spi.host.Patch.FieldChange;
import io.volume4j.spi.host.Preconditions;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.Node;
import io.volume4j.spi.model.ObjectKey;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
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
        register(new KeepsNoStatus(), executor, false);
        await().atMost(SOON).until(this::ready);
    }

    @Test
    void isReadyAlsoIfAnEarlierProcessEndedBeforeItSaidSo() throws Exception {
        cluster.fail(ClusterFault.on(ClusterVerb.PATCH_STATUS).of(NODE).always());
        ScheduledThreadPoolExecutor earlier = new ScheduledThreadPoolExecutor(1);
        register(new KeepsNoStatus(), earlier, false);
        earlier.shutdownNow();
        assertThat(earlier.awaitTermination(1, TimeUnit.MINUTES)).isTrue();
        assertThat(ready()).isFalse();
        cluster.heal();
        register(executor, false);
        assertThat(ready()).isTrue();
    }

    /** As Kubernetes' API server does. */
    @Test
    void isReadyAlsoIfTheServerKeepsTheStatusOfANewNodeAndTakesNoOther() throws Exception {
        cluster.fail(ClusterFault.on(ClusterVerb.PATCH_STATUS).of(NODE).always());
        register(executor, false);
        assertThat(ready()).isTrue();
    }

    @Test
    void whatAnotherProgramSaysAtTheSameMomentStays() throws Exception {
        List<Map<String, Object>> theirs =
                List.of(condition("NetworkUnavailable", "False"), condition("Ready", "False"));
        cluster.create(withoutStatus());
        say(theirs.subList(0, 1));
        ClusterWriter slow = new KeepsNoStatus() {
            @Override
            public ApiObject patch(ObjectKey key, Patch patch) {
                if (!conditions().equals(theirs)) {
                    say(theirs);
                }
                return super.patch(key, patch);
            }
        };
        register(slow, executor, false);
        register(executor, false);
        assertThat(conditions()).isEqualTo(theirs);
    }

    @Test
    void otherConditionsStay() throws Exception {
        cluster.create(withoutStatus());
        say(List.of(condition("NetworkUnavailable", "False")));
        register(executor, false);
        assertThat(conditions())
                .isEqualTo(List.of(condition("NetworkUnavailable", "False"), condition("Ready", "True")));
    }

    private static Map<String, Object> condition(String type, String status) {
        return Map.of("type", type, "status", status);
    }

    private Object conditions() {
        Map<?, ?> status = (Map<?, ?>) Objects.requireNonNull(
                cluster.get(NODE).orElseThrow().unmodeled().document().get("status"));
        return Objects.requireNonNull(status.get("conditions"));
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
        say(List.of(condition("Ready", status)));
    }

    private void say(List<Map<String, Object>> conditions) {
        cluster.patch(
                NODE,
                new Patch(Preconditions.none(), true, List.of(FieldChange.set(conditions, "status", "conditions"))));
    }

    private static ApiObject withoutStatus() {
        return Manifests.read("node", "{apiVersion: v1, kind: Node, metadata: {name: n1}}")
                .get(0);
    }

    private boolean ready() {
        return ((Node) cluster.get(NODE).orElseThrow()).status().ready();
    }

    /** Returns after the first attempt. */
    private void register(ScheduledThreadPoolExecutor on, boolean soleMaintainer) throws Exception {
        register(cluster, on, soleMaintainer);
    }

    private void register(ClusterWriter writer, ScheduledThreadPoolExecutor on, boolean soleMaintainer)
            throws Exception {
        new NodeRegistration(cluster, writer, "n1", on, new Pauses(new SplittableRandom(1)), soleMaintainer).start();
        on.submit(() -> {}).get();
    }

    /** A store that keeps no status of a new object, also of a node. */
    private class KeepsNoStatus implements ClusterWriter {
        @Override
        public ApiObject create(ApiObject object) {
            return cluster.create(withoutStatus());
        }

        @Override
        public ApiObject patch(ObjectKey key, Patch patch) {
            return cluster.patch(key, patch);
        }

        @Override
        public void delete(ObjectKey key, Preconditions preconditions) {
            cluster.delete(key, preconditions);
        }
    }
}
