package io.volume4j.examples.benchmarks.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.volume4j.examples.benchmarks.measure.TaskTimes.Owner;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Time is told by whose thread took it, the JVM's own threads included. */
class TaskTimesTest {
    private static final long BUSY = TimeUnit.MILLISECONDS.toNanos(100);

    static Stream<Arguments> names() {
        return Stream.of(
                arguments("volume-loop", Owner.LIBRARY),
                arguments("C2 CompilerThre", Owner.COMPILER),
                arguments("GC Thread#0", Owner.COLLECTOR),
                arguments("G1 Service", Owner.COLLECTOR),
                arguments("VM Periodic Tas", Owner.VM),
                arguments("java", Owner.OTHERS));
    }

    @ParameterizedTest
    @MethodSource("names")
    void knowsWhoseThreadItIs(String name, Owner owner) {
        assertThat(Owner.of(name)).isEqualTo(owner);
    }

    @Test
    void aBusyThreadOfTheLibraryTakesTheLibrarysTime() throws Exception {
        CountDownLatch worked = new CountDownLatch(1);
        CountDownLatch counted = new CountDownLatch(1);
        TaskTimes before = TaskTimes.now();
        long process = ProcessorClock.nanos();
        Thread thread = new Thread(() -> work(worked, counted), "volume-busy");
        thread.start();
        worked.await();

        Map<String, Long> took = TaskTimes.now().since(before);
        process = ProcessorClock.nanos() - process;
        counted.countDown();
        thread.join();

        assertThat(TaskTimes.of(Owner.LIBRARY, took)).isGreaterThan(BUSY * 9 / 10);
        assertThat(process).as("of all threads").isGreaterThan(BUSY * 9 / 10);
    }

    private static void work(CountDownLatch worked, CountDownLatch counted) {
        long began = ThreadsTime.ofThis();
        while (ThreadsTime.ofThis() - began < BUSY) {
            Thread.onSpinWait();
        }
        worked.countDown();
        try {
            counted.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
