package io.volume4j.inmemory.guide;

import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.core.codec.Manifests;
import io.volume4j.core.volumes.AttachMode;
import io.volume4j.core.volumes.MountedPod;
import io.volume4j.inmemory.sim.Simulation;
import io.volume4j.inmemory.sim.Turbulence;
import io.volume4j.spi.host.Preconditions;
import io.volume4j.spi.host.Selection;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.Pod;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** What docs/testing.md shows: an orchestrator of the user's own in the simulator, and a bug of hers that it finds. */
class PlacementInSimulationTest {
    private static final List<String> NODES = List.of("n1", "n2");
    private static final int SEEDS = 20;

    private static final String CLUSTER = """
            apiVersion: storage.k8s.io/v1
            kind: StorageClass
            metadata: {name: fast}
            provisioner: mem
            ---
            apiVersion: v1
            kind: Node
            metadata: {name: n1}
            ---
            apiVersion: v1
            kind: Node
            metadata: {name: n2}
            """;

    /** A claim and a pod that has it, both of that name. */
    private static String podWithClaim(String name) {
        return """
            ---
            apiVersion: v1
            kind: PersistentVolumeClaim
            metadata: {name: %1$s}
            spec: {storageClassName: fast, accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}
            ---
            apiVersion: v1
            kind: Pod
            metadata: {name: %1$s}
            spec:
              volumes: [{name: data, persistentVolumeClaim: {claimName: %1$s}}]
              containers: [{name: main, volumeMounts: [{name: data, mountPath: /data}]}]
            """.formatted(name);
    }

    @Test
    void everyPodGetsOneNodeAndItsVolumeThereWhateverGoesWrong() {
        for (long seed = 1; seed <= SEEDS; seed++) {
            assertThat(moves(seed, pod -> Preconditions.of(pod.metadata())))
                    .as("seed %d", seed)
                    .isEmpty();
        }
    }

    @Test
    void aPlacementThatWritesWithoutPreconditionsMovesAPodThatHasANode() {
        List<String> moves = new ArrayList<>();
        for (long seed = 1; seed <= SEEDS; seed++) {
            moves.addAll(moves(seed, pod -> Preconditions.none()));
        }
        assertThat(moves).isNotEmpty();
    }

    /** Pods that were given a second node in a rough world; in the end, every pod has its volume. */
    private static List<String> moves(long seed, Function<Pod, Preconditions> preconditions) {
        try (Simulation world = Simulation.builder(seed)
                .nodes(NODES)
                .controllers(2)
                .attachMode(AttachMode.CONTROLLER)
                .program("placement", new Placement(NODES, preconditions))
                .restarts()
                .build()) {
            List<String> moves = new ArrayList<>();
            watch(world, moves);
            world.start();
            world.turbulence(Turbulence.rough());
            Manifests.read("cluster", CLUSTER + podWithClaim("a") + podWithClaim("b"))
                    .forEach(world.cluster()::apply);
            world.advance(Duration.ofMinutes(10));
            world.turbulence(Turbulence.none());
            world.advance(Duration.ofMinutes(30));
            assertThat(world.violations())
                    .as(() -> "seed " + seed + ": " + world.trace())
                    .isEmpty();
            if (moves.isEmpty()) {
                world.cluster().all(Kind.POD).forEach(object -> requireMounted(world, (Pod) object));
            }
            return moves;
        }
    }

    private static void watch(Simulation world, List<String> moves) {
        Map<String, String> placed = new HashMap<>();
        world.cluster().watch(Kind.POD, Selection.all(), world.cluster().revision(), event -> {
            Pod pod = (Pod) event.requireObject();
            String before = placed.put(pod.metadata().uid(), pod.spec().nodeName());
            if (before != null && !before.isEmpty() && !before.equals(pod.spec().nodeName())) {
                moves.add(pod.key() + " from " + before + " to " + pod.spec().nodeName());
            }
        });
    }

    private static void requireMounted(Simulation world, Pod pod) {
        MountedPod mounted = world.get(
                world.node(pod.spec().nodeName()).whenMounted(pod.metadata().uid()));
        assertThat(mounted.volumes()).containsKey("data");
    }
}
