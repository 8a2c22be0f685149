package io.volume4j.examples.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What delays the end of a process that got a signal. */
@Timeout(60)
class StopSignalTest {
    private static final Duration LONG = Duration.ofHours(1);

    private final StopSignal stop = new StopSignal();
    private final CountDownLatch closing = new CountDownLatch(1);
    private final Thread program = new Thread(() -> {
        try {
            closing.await();
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
        }
    });

    @Test
    void aProgramThatDoesNotHeedTheSignalEndsAtOnce() {
        program.start();
        stop.ask();
        stop.holdBack(program, LONG);
        assertThat(program.isAlive()).isTrue();
        closing.countDown();
    }

    @Test
    void aProgramThatHeedsItMayClose() throws Exception {
        program.start();
        stop.heed();
        stop.ask();
        stop.awaitAsked();
        stop.holdBack(program, Duration.ofMillis(1));
        assertThat(program.isAlive()).as("it has not closed in time").isTrue();
        closing.countDown();
        stop.holdBack(program, LONG);
        assertThat(program.isAlive()).isFalse();
    }
}
