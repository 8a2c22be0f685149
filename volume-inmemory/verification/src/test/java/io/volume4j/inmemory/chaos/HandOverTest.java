package io.volume4j.inmemory.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.core.volumes.AttachMode;
import io.volume4j.inmemory.sim.ControlProcess;
import io.volume4j.inmemory.sim.NodeProcess;
import io.volume4j.inmemory.sim.Simulation;
import io.volume4j.spi.host.Preconditions;
import io.volume4j.spi.host.Selection;
import io.volume4j.spi.model.AccessMode;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.Node;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.PersistentVolumeClaim;
import io.volume4j.spi.model.Pod;
import io.volume4j.spi.model.Quantity;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/**
 * Pods go on while our attach-detach controller gives its place to Kubernetes' controller and the driver's external-attacher, played by
 * {@link ForeignAttachDetach} and {@link ForeignAttacher}, and back. Each is killed, never stopped. The storage judges every call: a
 * volume for one node is never attached to two, and none is detached while it is staged or published. In the end each pod has its
 * volume, and nothing is attached for a pod that there is not.
 */
class HandOverTest {
    private static final Quantity SIZE = Quantity.parse("1Gi");
    private static final Duration CALM = Duration.ofMinutes(4);
    private static final int SEEDS = Integer.getInteger("volume4j.handover.seeds", 400);

    @Test
    void aRunningPodKeepsItsVolumeWhenKubernetesControllersTakeOver() {
        try (World world = new World(1)) {
            world.pod("a", "n1", "v");
            world.calm();
            world.kubernetes();
            world.pod("b", "n2", "v");
            world.calm();
            assertThat(world.mounted("n1", "a")).isTrue();
            assertThat(world.mounted("n2", "b")).isFalse();

            world.remove("a");
            world.calm();
            assertThat(world.mounted("n2", "b")).isTrue();
            world.isSound();
        }
    }

    @Test
    void aRunningPodKeepsItsVolumeWhenOursTakesOverAgain() {
        try (World world = new World(1)) {
            world.kubernetes();
            world.pod("a", "n1", "v");
            world.calm();
            world.ours();
            world.pod("b", "n2", "v");
            world.calm();
            assertThat(world.mounted("n1", "a")).isTrue();
            assertThat(world.mounted("n2", "b")).isFalse();

            world.kubernetes();
            world.calm();
            world.remove("a");
            world.calm();
            assertThat(world.mounted("n2", "b")).isTrue();
            world.isSound();
        }
    }

    /** The node's object still has the grant of ours, whose record is gone. */
    @Test
    void aVolumeComesBackToItsNodeAfterKubernetesControllersDetachedIt() {
        try (World world = new World(1)) {
            world.pod("a", "n1", "v");
            world.calm();
            world.kubernetes();
            world.calm();
            world.remove("a");
            world.calm();
            world.pod("b", "n1", "v");
            world.calm();
            assertThat(world.mounted("n1", "b")).isTrue();
            world.isSound();
        }
    }

    /** Ours is killed after each of its steps in turn, while it attaches a volume, and while it detaches one. */
    @Test
    void nothingIsLostWhereverOursWasKilled() {
        for (boolean attaching : List.of(true, false)) {
            boolean more = true;
            for (int steps = 0; more; steps++) {
                try (World world = new World(7)) {
                    if (!attaching) {
                        world.pod("a", "n1", "v");
                        world.calm();
                        world.remove("a");
                    } else {
                        world.pod("a", "n1", "v");
                    }
                    for (int step = 0; step < steps && more; step++) {
                        more = world.simulation.step();
                    }
                    world.kubernetes();
                    world.pod("b", "n1", "w");
                    world.simulation.advance(Duration.ofMinutes(3));
                    String as = "killed after " + steps + (attaching ? " while it attached" : " while it detached");
                    if (attaching) {
                        assertThat(world.mounted("n1", "a")).as(as).isTrue();
                    }
                    assertThat(world.mounted("n1", "b")).as(as).isTrue();
                    world.as = as;
                    world.isSound();
                }
                assertThat(steps).as("the world comes to rest").isLessThan(1_000);
            }
        }
    }

    @Test
    void losesNoVolumeWhateverHappensInWhateverOrder() {
        for (long seed = 0; seed < SEEDS; seed++) {
            try (World world = new World(seed)) {
                world.live();
            }
        }
    }

    private static final class World implements AutoCloseable {
        private final Simulation simulation;
        private final RandomGenerator random;
        private final Map<String, Pod> pods = new LinkedHashMap<>();
        private String as;
        private boolean ours = true;
        private int made;

        World(long seed) {
            as = "seed " + seed;
            simulation = Simulation.builder(seed)
                    .nodes(List.of("n1", "n2"))
                    .controllers(1)
                    .withoutBinding()
                    .kubernetesNames()
                    .attachMode(AttachMode.CONTROLLER)
                    .program("foreign", new ForeignAttachDetach())
                    .program("attacher", new ForeignAttacher("attacher"))
                    .steppedCalls()
                    .build();
            random = simulation.random();
            for (String name : List.of("n1", "n2")) {
                simulation.cluster().apply(Given.node(name));
            }
            for (String name : List.of("v", "w")) {
                PersistentVolumeClaim claim = Given.boundClaim(name, "pv-" + name, SIZE, AccessMode.READ_WRITE_ONCE);
                simulation.storage().add("h-" + name, SIZE.bytes());
                simulation.cluster().apply(claim);
                simulation.cluster().apply(Given.boundVolume(claim, "mem", "h-" + name));
            }
            simulation.start();
            simulation.program("foreign").crash();
            simulation.program("attacher").crash();
        }

        private ControlProcess controller() {
            return simulation.controllers().get(0);
        }

        void kubernetes() {
            controller().crash();
            ours = false;
            simulation.program("attacher").start();
            simulation.program("foreign").start();
        }

        void ours() {
            simulation.program("foreign").crash();
            simulation.program("attacher").crash();
            ours = true;
            controller().start();
        }

        void live() {
            for (int step = 0; step < 30; step++) {
                switch (random.nextInt(8)) {
                    case 0, 1 -> pod("p" + ++made, "n" + (1 + random.nextInt(2)), random.nextBoolean() ? "v" : "w");
                    case 2, 3 ->
                        pods.keySet().stream()
                                .skip(pods.isEmpty() ? 0 : random.nextInt(pods.size()))
                                .findFirst()
                                .ifPresent(this::remove);
                    case 4 -> restart("n" + (1 + random.nextInt(2)));
                    case 5 -> {
                        if (ours) {
                            kubernetes();
                        } else {
                            ours();
                        }
                    }
                    case 6 -> again();
                    default -> simulation.advance(Duration.ofMillis(random.nextInt(90_000)));
                }
                simulation.advance(Duration.ofMillis(random.nextInt(1_500)));
                assertThat(simulation.storage().violations()).as(as).isEmpty();
            }
            calm();
            // Of the pods of one volume those of one node have it.
            for (String volume : List.of("v", "w")) {
                Set<String> nodes = new LinkedHashSet<>();
                pods.forEach((name, pod) -> {
                    if (of(pod).equals(volume) && mounted(pod.spec().nodeName(), name)) {
                        nodes.add(pod.spec().nodeName());
                    }
                });
                boolean wanted = pods.values().stream().anyMatch(pod -> of(pod).equals(volume));
                assertThat(nodes).as(as + ", volume " + volume).hasSize(wanted ? 1 : 0);
            }
            isSound();
        }

        /** The process that serves now dies and comes back. */
        private void again() {
            if (ours) {
                controller().crash();
                simulation.advance(Duration.ofMillis(random.nextInt(3_000)));
                controller().start();
            } else {
                String died = random.nextBoolean() ? "foreign" : "attacher";
                simulation.program(died).crash();
                simulation.advance(Duration.ofMillis(random.nextInt(3_000)));
                simulation.program(died).start();
            }
        }

        private static String of(Pod pod) {
            return pod.spec().volumes().get(0).name();
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

        void restart(String name) {
            NodeProcess node = simulation.node(name);
            node.crash();
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

        /** No rule was broken; and when the last pod has gone, nothing is left. */
        void isSound() {
            assertThat(simulation.storage().violations()).as(as).isEmpty();
            List.copyOf(pods.keySet()).forEach(this::remove);
            calm();
            assertThat(simulation.storage().violations()).as(as).isEmpty();
            assertThat(objects(Kind.VOLUME_ATTACHMENT)).as(as).isEmpty();
            objects(Kind.NODE)
                    .forEach(node -> assertThat(((Node) node).status().volumesAttached())
                            .as(as)
                            .isEmpty());
            simulation
                    .storage()
                    .volumes()
                    .forEach(volume -> assertThat(volume.attachments())
                            .as(as + " " + volume)
                            .isEmpty());
        }

        private List<ApiObject> objects(Kind kind) {
            return simulation.cluster().list(kind, Selection.all()).objects();
        }

        @Override
        public void close() {
            simulation.close();
        }
    }
}
