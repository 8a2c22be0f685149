package io.volume4j.inmemory.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.inmemory.fault.Fault;
import io.volume4j.inmemory.fault.FaultKind;
import io.volume4j.inmemory.sim.NodeProcess;
import io.volume4j.inmemory.sim.Simulation;
import io.volume4j.inmemory.sim.SimulationBuilder;
import io.volume4j.spi.model.AccessMode;
import io.volume4j.spi.model.PersistentVolumeClaim;
import io.volume4j.spi.model.Quantity;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** L3, L4 and L5, each from every moment of a volume's way to a pod. */
class LivenessTest {
    private static final Quantity SIZE = Quantity.parse("1Gi");
    /** A volume's way to a pod takes fewer tasks. */
    private static final int MOMENTS = 120;

    private static final Duration SETTLED = Duration.ofMinutes(20);

    /** L3: whenever the wish is withdrawn and made again, the end is that of a wish that was never withdrawn. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2})
    void aWishThatIsWithdrawnAndMadeAgainEndsAsIfItHadNot(long seed) {
        List<String> undisturbed = endOf(seed, -1, -1);
        assertThat(undisturbed).isNotEmpty();
        for (int withdrawn = 0; withdrawn < MOMENTS; withdrawn += 3) {
            for (int again : new int[] {0, 2, 5, 11, 23, 47}) {
                assertThat(endOf(seed, withdrawn, again))
                        .as("seed %d, withdrawn after %d tasks, again after %d", seed, withdrawn, again)
                        .isEqualTo(undisturbed);
            }
        }
    }

    private static List<String> endOf(long seed, int withdrawn, int again) {
        try (Simulation world = world(seed).build()) {
            volume(world, "a");
            world.start();
            world.cluster().apply(Given.pod("p", "p", "n1", List.of("a"), false));
            if (withdrawn >= 0) {
                run(world, withdrawn);
                world.cluster()
                        .remove(Given.pod("p", "p", "n1", List.of("a"), false).key());
                run(world, again);
                world.cluster().apply(Given.pod("p", "q", "n1", List.of("a"), false));
            }
            world.advance(SETTLED);
            assertThat(world.violations()).isEmpty();
            return world.oracle().holdings().stream()
                    .map(holding -> holding.replaceAll(" [pq]$", " pod"))
                    .toList();
        }
    }

    /** L4: whichever call about one volume hangs, the other volume takes no longer than without that. */
    @ParameterizedTest
    @ValueSource(strings = {"attach", "mountDevice", "mount", "unmount", "unmountDevice", "detach"})
    void aVolumeThatHangsHoldsUpNoOther(String call) {
        assertThat(timeOfOther(call, true)).as(call).isEqualTo(timeOfOther(call, false));
    }

    private static Duration timeOfOther(String call, boolean hangs) {
        try (Simulation world = world(1).steppedCalls().build()) {
            volume(world, "a");
            volume(world, "b");
            if (hangs) {
                world.storage().faults().add(Fault.on(call).of("h-a").always().as(FaultKind.HANG));
            }
            world.start();
            world.cluster().apply(Given.pod("p", "p", "n1", List.of("a"), false));
            world.advance(Duration.ofSeconds(10));
            world.cluster()
                    .remove(Given.pod("p", "p", "n1", List.of("a"), false).key());
            world.advance(Duration.ofSeconds(10));
            Duration begun = world.elapsed();
            world.cluster().apply(Given.pod("q", "q", "n1", List.of("b"), false));
            while (!world.oracle().holdings().contains("mounted h-b n1 q")
                    && world.elapsed().minus(begun).compareTo(SETTLED) < 0) {
                if (!world.passToNext(begun.plus(SETTLED))) {
                    break;
                }
            }
            assertThat(world.oracle().holdings()).contains("mounted h-b n1 q");
            Duration taken = world.elapsed().minus(begun);
            world.heal();
            world.runReady();
            return taken;
        }
    }

    /** L5: however long its plugin was away, and however often was tried, a volume is on its way within a second. */
    @ParameterizedTest
    @ValueSource(longs = {1, 20, 300, 7_200})
    void whatWaitedForAPluginIsTriedWithinASecondOfItsReturn(long seconds) {
        try (Simulation world = world(1).build()) {
            volume(world, "a");
            world.start();
            world.runReady();
            NodeProcess node = world.node("n1");
            node.plugins().orElseThrow().remove("mem");
            world.cluster().apply(Given.pod("p", "p", "n1", List.of("a"), false));
            world.advance(Duration.ofSeconds(seconds));
            assertThat(world.oracle().holdings()).isEmpty();

            world.pluginsOf(node).forEach(node.plugins().orElseThrow()::replace);
            world.advance(Duration.ofSeconds(1));
            assertThat(world.oracle().holdings()).contains("mounted h-a n1 p");
        }
    }

    private static SimulationBuilder world(long seed) {
        return Simulation.builder(seed);
    }

    private static void volume(Simulation world, String name) {
        if (world.cluster().get(Given.node("n1").key()).isEmpty()) {
            world.cluster().apply(Given.node("n1"));
        }
        PersistentVolumeClaim claim = Given.boundClaim(name, "pv-" + name, SIZE, AccessMode.READ_WRITE_ONCE);
        world.storage().add("h-" + name, SIZE.bytes());
        world.cluster().apply(claim);
        world.cluster().apply(Given.boundVolume(claim, "mem", "h-" + name));
    }

    private static void run(Simulation world, int tasks) {
        for (int i = 0; i < tasks && world.step(); i++) {
            // Each task is a moment.
        }
    }
}
