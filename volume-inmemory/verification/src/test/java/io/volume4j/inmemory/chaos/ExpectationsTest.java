package io.volume4j.inmemory.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.inmemory.sim.Simulation;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A world is judged once its processes are done, and not while they only cannot go on. */
class ExpectationsTest {
    @Test
    void aNodeThatDoesNotKnowItsPodsIsNotDone() {
        try (Simulation world = Simulation.builder(1).build()) {
            world.cluster().apply(Given.node("n1"));
            world.start();
            Expectations expected = new Expectations(world, List::of);
            world.advance(Duration.ofSeconds(1));
            assertThat(expected.met()).isTrue();

            world.node("n1").crash();
            world.node("n1").partition();
            world.node("n1").start();
            world.advance(Duration.ofSeconds(1));
            assertThat(world.node("n1").ready()).isTrue();
            assertThat(expected.unmet()).isEmpty();
            assertThat(expected.met()).isFalse();

            world.node("n1").join();
            world.advance(Duration.ofMinutes(5));
            assertThat(expected.met()).isTrue();
        }
    }
}
