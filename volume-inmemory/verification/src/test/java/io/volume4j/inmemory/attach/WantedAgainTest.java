package io.volume4j.inmemory.attach;

import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.spi.model.AccessMode;
import io.volume4j.spi.model.Kind;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** A volume whose pod goes, and which another pod of the same node wants after any number of steps: it always gets it. */
class WantedAgainTest {
    private static final AccessMode RWO = AccessMode.READ_WRITE_ONCE;
    private static final Duration SOON = Duration.ofMinutes(5);

    /** The new leader takes the record over for the detach: the node takes no grant of the old generation any more. */
    @Test
    void fromALeaderThatDidNotAttachIt() {
        boolean more = true;
        for (int steps = 0; more; steps++) {
            AttachHarness cluster = new AttachHarness(1);
            Lease lease = new Lease(cluster.world);
            lease.give("a");
            cluster.node("n1").volume("v", RWO);
            cluster.controller("a", lease.of("a")).controller("b", lease.of("b"));
            cluster.pod("p", "n1", "v").settle();
            lease.give("b");
            cluster.run();

            more = goesAndComes(cluster, steps);

            assertGotIt(cluster, "wanted again after " + steps + " steps");
        }
    }

    /** The pod goes while the node is being told of the record: what it hears of is not ended behind its back. */
    @Test
    void whileTheNodeIsBeingTold() {
        for (int seed = 1; seed <= 8; seed++) {
            boolean more = true;
            for (int steps = 0; more; steps++) {
                AttachHarness cluster = new AttachHarness(seed);
                cluster.node("n1").volume("v", RWO).controller().run();
                cluster.pod("p", "n1", "v");

                more = goesAndComes(cluster, steps);

                assertGotIt(cluster, "gone after " + steps + " steps with seed " + seed);
            }
        }
    }

    /** That gets no answer, and the node's object is not heard of either: it is looked at before the record is ended. */
    @Test
    void whenTheNodeWasToldWithoutAnAnswer() {
        for (int seed = 1; seed <= 4; seed++) {
            boolean more = true;
            for (int steps = 0; more; steps++) {
                AttachHarness cluster = new AttachHarness(seed);
                cluster.node("n1").volume("v", RWO).controller().run();
                Link link = cluster.the("c").link;
                link.loseAnswers(Kind.NODE, 1);
                link.hide(Kind.NODE);
                cluster.pod("p", "n1", "v");

                more = step(cluster, steps);
                cluster.deletePod("p");
                while (cluster.world.step()) {
                    assertNodeGaveItUpBeforeItEnded(cluster, "gone after " + steps + " steps with seed " + seed);
                }
                link.mend();
                cluster.pod("q", "n1", "v");
                cluster.world.advance(SOON);

                assertGotIt(cluster, "gone after " + steps + " steps with seed " + seed);
            }
        }
    }

    /** False if everything had come to rest before as many steps were made. */
    private static boolean goesAndComes(AttachHarness cluster, int steps) {
        boolean before = step(cluster, steps / 2);
        cluster.deletePod("p");
        boolean after = step(cluster, steps - steps / 2);
        cluster.pod("q", "n1", "v");
        cluster.world.advance(SOON);
        return before || after;
    }

    /** False if there were not as many. */
    private static boolean step(AttachHarness cluster, int steps) {
        for (int i = 0; i < steps; i++) {
            if (!cluster.world.step()) {
                return false;
            }
        }
        return true;
    }

    private static void assertNodeGaveItUpBeforeItEnded(AttachHarness cluster, String when) {
        if (cluster.records().stream().allMatch(record -> record.metadata().deleting())) {
            assertThat(cluster.grants("n1").grants()).as(when).isEmpty();
        }
    }

    private static void assertGotIt(AttachHarness cluster, String when) {
        assertThat(cluster.on("n1").mounted("q").volumes()).as(when).hasSize(1);
        assertThat(cluster.attached("v")).as(when).containsExactly("n1");
        assertThat(cluster.records()).as(when).hasSize(1);
        assertThat(cluster.storage.violations()).as(when).isEmpty();
    }
}
