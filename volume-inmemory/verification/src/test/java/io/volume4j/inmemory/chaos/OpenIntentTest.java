package io.volume4j.inmemory.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.inmemory.sim.Internals;
import io.volume4j.inmemory.sim.OpenCalls.Fate;
import io.volume4j.inmemory.sim.OpenCalls.OpenCall;
import io.volume4j.inmemory.sim.Simulation;
import io.volume4j.spi.model.AccessMode;
import io.volume4j.spi.model.PersistentVolumeClaim;
import io.volume4j.spi.model.Quantity;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is done beside a step that touches a volume does not hide from the journal that the step is under way. */
class OpenIntentTest {
    private static final Quantity SIZE = Quantity.parse("1Gi");
    private static final Quantity BIGGER = Quantity.parse("2Gi");

    @Test
    void aReportOfTheSizeLeavesTheIntentToAttach() {
        try (Simulation world = Simulation.builder(1).explored().build()) {
            PersistentVolumeClaim claim = Given.boundClaim("c", "pv", SIZE, AccessMode.READ_WRITE_ONCE);
            world.cluster().apply(Given.node("n1"));
            world.storage().add("h", BIGGER.bytes());
            world.cluster().apply(Given.growing(claim, BIGGER));
            world.cluster().apply(Given.withCapacity(Given.boundVolume(claim, "mem", "h"), BIGGER));
            world.cluster().apply(Given.pod("p", "p", "n1", List.of("c"), false));
            world.start();
            world.runReady();

            world.openCalls().run(call(world, "attach"), Fate.DONE);
            OpenCall report = call(world, "report the size");
            world.openCalls().run(report, Fate.DONE);
            world.openCalls().answer(report);
            world.runReady();
            world.node("n1").crash();
            world.node("n1").start();
            world.runReady();

            assertThat(world.oracle().holdings()).containsExactly("attached h n1");
            assertThat(world.violations()).isEmpty();
            assertThat(Internals.beliefs(world.node("n1"))).hasSize(1);
        }
    }

    private static OpenCall call(Simulation world, String what) {
        return world.openCalls().all().stream()
                .filter(call -> call.toString().contains(": " + what))
                .findFirst()
                .orElseThrow(() -> new AssertionError(
                        what + " is not among " + world.openCalls().all()));
    }
}
