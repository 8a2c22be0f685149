package io.volume4j.inmemory.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.core.volumes.AttachMode;
import io.volume4j.inmemory.sim.NodeProcess;
import io.volume4j.inmemory.sim.OutsideProcess;
import io.volume4j.inmemory.sim.SimProcess;
import io.volume4j.inmemory.sim.Simulation;
import io.volume4j.spi.host.Preconditions;
import io.volume4j.spi.model.AccessMode;
import io.volume4j.spi.model.Node;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.ObjectMeta;
import io.volume4j.spi.model.PersistentVolumeClaim;
import io.volume4j.spi.model.Pod;
import io.volume4j.spi.model.Quantity;
import io.volume4j.spi.model.Unmodeled;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Nodes beside Kubernetes' own attach-detach controller, played by {@link ForeignAttachDetach}, while agents change between
 * attaching by themselves and leaving it to the controller. The storage judges every call: a volume is never detached while it is
 * staged or published, and every pod gets its volume in the end.
 */
class ForeignAttachDetachTest {
    private static final Quantity SIZE = Quantity.parse("1Gi");
    private static final Duration CALM = Duration.ofMinutes(10);
    private static final int SEEDS = Integer.getInteger("volume4j.foreign.seeds", 150);

    @ParameterizedTest
    @EnumSource(AttachMode.class)
    void keepsItsVolumesWhenItsAgentComesBackInTheOtherMode(AttachMode first) {
        try (World world = new World(1, first)) {
            world.pod("a", "n1", "v");
            world.calm();
            assertThat(world.mounted("n1", "a")).isTrue();

            world.restart("n1", first == AttachMode.SELF ? AttachMode.CONTROLLER : AttachMode.SELF);
            world.calm();
            assertThat(world.mounted("n1", "a")).isTrue();
            assertThat(world.simulation.storage().violations()).isEmpty();

            world.remove("a");
            world.calm();
            world.pod("b", "n2", "v");
            world.calm();
            assertThat(world.mounted("n2", "b")).isTrue();
            assertThat(world.simulation.storage().violations()).isEmpty();
        }
    }

    /** No controller knows that the node attached it. */
    @Test
    void detachesWhatItAttachedByItselfBeforeAControllerServesIt() {
        try (World world = new World(1, AttachMode.SELF)) {
            world.pod("a", "n1", "v");
            world.calm();
            world.simulation.node("n1").crash();
            world.remove("a");
            world.simulation.node("n1").attachMode(AttachMode.CONTROLLER);
            world.simulation.node("n1").start();
            world.calm();
            assertThat(world.simulation.storage().volume("h-v").orElseThrow().attachments())
                    .isEmpty();

            world.restart("n2", AttachMode.CONTROLLER);
            world.pod("b", "n2", "v");
            world.calm();
            assertThat(world.mounted("n2", "b")).isTrue();
            world.pod("c", "n1", "w");
            world.calm();
            assertThat(world.mounted("n1", "c")).as("served by the controller").isTrue();
            assertThat(world.simulation.storage().violations()).isEmpty();
        }
    }

    /** The controller asked for the detach while the attacher was down; it would come after the node's own attach. */
    @Test
    void attachesByItselfOnlyWhenAControllersDetachIsOver() {
        try (World world = new World(1, AttachMode.CONTROLLER)) {
            world.pod("a", "n1", "v");
            world.calm();
            world.restart("n1", AttachMode.SELF);
            world.calm();
            OutsideProcess attacher = world.simulation.outside().get(0);
            attacher.crash();
            world.remove("a");
            world.calm();
            world.pod("b", "n1", "v");
            world.calm();
            assertThat(world.mounted("n1", "b")).isFalse();

            attacher.start();
            world.calm();

            assertThat(world.mounted("n1", "b")).isTrue();
            assertThat(world.simulation.storage().violations()).isEmpty();
        }
    }

    @Test
    void losesNoVolumeWhateverHappensInWhateverOrder() {
        for (long seed = 0; seed < SEEDS; seed++) {
            try (World world = new World(seed, AttachMode.CONTROLLER)) {
                world.live();
            }
        }
    }

    private static final class World implements AutoCloseable {
        private final Simulation simulation;
        private final RandomGenerator random;
        private final String as;
        private final Map<String, Pod> pods = new LinkedHashMap<>();
        private int made;

        World(long seed, AttachMode mode) {
            as = "seed " + seed;
            simulation = Simulation.builder(seed)
                    .nodes(List.of("n1", "n2"))
                    .attachMode(AttachMode.CONTROLLER)
                    .outside(OutsideProcess.Role.ATTACHER, "mem")
                    .program("foreign", new ForeignAttachDetach())
                    .steppedCalls()
                    .build();
            random = simulation.random();
            for (String name : List.of("n1", "n2")) {
                simulation
                        .cluster()
                        .apply(new Node(
                                ObjectMeta.named("", name).withUid("uid-" + name),
                                new Node.Spec(List.of()),
                                new Node.Status(true, List.of(), List.of(), Map.of()),
                                Unmodeled.none()));
                simulation.node(name).attachMode(mode);
            }
            for (String name : List.of("v", "w")) {
                PersistentVolumeClaim claim = Given.boundClaim(name, "pv-" + name, SIZE, AccessMode.READ_WRITE_ONCE);
                simulation.storage().add("h-" + name, SIZE.bytes());
                simulation.cluster().apply(claim);
                simulation.cluster().apply(Given.boundVolume(claim, "mem", "h-" + name));
            }
            simulation.start();
        }

        /** Pods of one volume are on one node at a time, as a scheduler would place them. */
        void live() {
            for (int step = 0; step < 25; step++) {
                switch (random.nextInt(6)) {
                    case 0, 1 -> {
                        String volume = random.nextBoolean() ? "v" : "w";
                        String node = "n" + (1 + random.nextInt(2));
                        if (pods.values().stream()
                                .noneMatch(pod ->
                                        pod.spec().volumes().get(0).name().equals(volume))) {
                            pod("p" + ++made, node, volume);
                        }
                    }
                    case 2 ->
                        pods.keySet().stream()
                                .skip(pods.isEmpty() ? 0 : random.nextInt(pods.size()))
                                .findFirst()
                                .ifPresent(this::remove);
                    case 3 ->
                        restart(
                                "n" + (1 + random.nextInt(2)),
                                random.nextBoolean() ? AttachMode.SELF : AttachMode.CONTROLLER);
                    case 4 -> {
                        SimProcess foreign = simulation.program("foreign");
                        foreign.crash();
                        simulation.advance(Duration.ofMillis(random.nextInt(3_000)));
                        foreign.start();
                    }
                    default -> simulation.advance(Duration.ofMillis(random.nextInt(5_000)));
                }
                simulation.advance(Duration.ofMillis(random.nextInt(1_500)));
                assertThat(simulation.storage().violations()).as(as).isEmpty();
            }
            simulation.nodes().forEach(node -> restart(node.name(), AttachMode.CONTROLLER));
            calm();
            assertThat(simulation.storage().violations()).as(as).isEmpty();
            pods.forEach((name, pod) -> assertThat(mounted(pod.spec().nodeName(), name))
                    .as(as + ", pod " + name)
                    .isTrue());
        }

        void pod(String name, String node, String volume) {
            Pod pod = Given.pod(name, "uid-" + name, node, List.of(volume), false);
            simulation.cluster().apply(pod);
            pods.put(name, pod);
        }

        void remove(String name) {
            simulation.cluster().delete(ObjectKey.pod(Given.NAMESPACE, name), Preconditions.none());
            pods.remove(name);
        }

        void restart(String name, AttachMode mode) {
            NodeProcess node = simulation.node(name);
            node.crash();
            node.attachMode(mode);
            node.start();
        }

        void calm() {
            simulation.advance(CALM);
        }

        boolean mounted(String node, String pod) {
            var mounted = simulation.node(node).whenMounted("uid-" + pod);
            simulation.runReady();
            return mounted.isDone() && !mounted.isCompletedExceptionally();
        }

        @Override
        public void close() {
            simulation.close();
        }
    }
}
