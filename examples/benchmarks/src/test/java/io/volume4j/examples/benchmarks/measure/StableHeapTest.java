package io.volume4j.examples.benchmarks.measure;

import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.inmemory.scale.LiveHeap;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is reachable counts, and nothing else does. */
class StableHeapTest {
    private static final String OURS = StableHeapTest.class.getPackageName();
    private static final int NUMBER = 1_000_000;

    private record Thing(long first, long second) {}

    @Test
    void countsWhatIsReachableAndWhoseClassItIs() throws Exception {
        LiveHeap before = StableHeap.now(OURS);
        List<Thing> things = new ArrayList<>();
        for (int i = 0; i < NUMBER; i++) {
            things.add(new Thing(i, i));
        }

        LiveHeap held = StableHeap.now(OURS).since(before);
        assertThat(things).hasSize(NUMBER);
        things.clear();
        LiveHeap dropped = StableHeap.now(OURS).since(before);

        assertThat(held.ours()).isBetween(16L * NUMBER, 40L * NUMBER);
        assertThat(held.bytes()).as("with the list").isGreaterThan(held.ours() + 2L * NUMBER);
        assertThat(dropped.ours()).isLessThan(NUMBER);
    }
}
