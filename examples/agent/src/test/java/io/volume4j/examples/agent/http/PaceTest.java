package io.volume4j.examples.agent.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How many requests a client may send, and what passes a pause. The clock moves only when the test moves it. */
@Timeout(60)
class PaceTest {
    private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 1000);
    private final Pace pace = new Pace(new RequestRate(10, 3), nanos::get);

    private void sent() throws IOException {
        pace.await(false, Duration.ZERO);
    }

    private void refused() {
        assertThatIOException().isThrownBy(this::sent).withMessageStartingWith("not sent: ");
    }

    private void advance(Duration time) {
        nanos.addAndGet(time.toNanos());
    }

    @Test
    void aBurstPassesAtOnceAndThenOneRequestForEachTenthOfASecond() throws IOException {
        sent();
        sent();
        sent();
        refused();
        advance(Duration.ofMillis(100));
        sent();
        refused();
        advance(Duration.ofSeconds(10));
        sent();
        sent();
        sent();
        refused();
    }

    @Test
    void anOverloadedServerIsLeftAloneAsLongAsItAsks() throws IOException {
        pace.pause(Duration.ofSeconds(2));
        refused();
        advance(Duration.ofMillis(1999));
        refused();
        advance(Duration.ofMillis(1));
        sent();
    }

    @Test
    void aShorterPauseDoesNotEndALongerOne() {
        pace.pause(Duration.ofSeconds(5));
        pace.pause(Duration.ofSeconds(1));
        advance(Duration.ofSeconds(2));
        refused();
    }

    @Test
    void aPauseIsNeverLongerThanHalfAMinute() throws IOException {
        pace.pause(Duration.ofHours(1));
        advance(Pace.LONGEST_PAUSE.minusMillis(1));
        refused();
        advance(Duration.ofMillis(1));
        sent();
    }

    /** A lease that is not renewed in time costs the leadership. */
    @Test
    void anUrgentRequestWaitsForNothing() throws IOException {
        sent();
        sent();
        sent();
        pace.pause(Duration.ofSeconds(5));
        pace.await(true, Duration.ZERO);
        refused();
    }

    /** Ten a second before. */
    @Test
    void afterAPauseRequestsAreSentOneAfterTheOtherAtHalfThePace() throws IOException {
        pace.pause(Duration.ofSeconds(1));
        pace.pause(Duration.ofSeconds(1));
        advance(Duration.ofSeconds(1));
        sent();
        advance(Duration.ofMillis(199));
        refused();
        advance(Duration.ofMillis(1));
        sent();
    }

    @Test
    void eachAnswerMakesItFasterUntilItIsAsFastAsBefore() throws IOException {
        pace.pause(Duration.ofSeconds(1));
        advance(Duration.ofSeconds(1));
        sent();
        pace.answered();
        advance(Duration.ofMillis(190));
        sent();
        for (int i = 0; i < 40; i++) {
            pace.answered();
        }
        advance(Duration.ofSeconds(1));
        sent();
        sent();
        sent();
        refused();
    }

    @Test
    void howeverManyWereRefusedThereAreFiveRequestsASecond() throws IOException {
        for (int i = 0; i < 100; i++) {
            pace.pause(Duration.ofSeconds(1));
            advance(Duration.ofSeconds(1));
        }
        sent();
        advance(Duration.ofMillis(199));
        refused();
        advance(Duration.ofMillis(1));
        sent();
    }

    @Test
    void requestsAreSentInTheOrderInWhichTheyCame() throws Exception {
        // A thread looks at the clock for the last time when its turn has come. What it does later may be late.
        List<Thread> looks = new CopyOnWriteArrayList<>();
        Pace real = new Pace(new RequestRate(4, 1), () -> {
            looks.add(Thread.currentThread());
            return System.nanoTime();
        });
        real.await(false, Duration.ofSeconds(10));
        List<Thread> sent = new CopyOnWriteArrayList<>();
        List<Thread> waiting = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            Thread thread = new Thread(() -> {
                try {
                    real.await(false, Duration.ofMinutes(1));
                    sent.add(Thread.currentThread());
                } catch (IOException late) {
                    // It is missing below.
                }
            });
            thread.start();
            waiting.add(thread);
            while (thread.getState() != Thread.State.TIMED_WAITING && thread.isAlive()) {
                Thread.onSpinWait();
            }
        }
        for (Thread thread : waiting) {
            thread.join();
        }
        sent.sort(Comparator.comparing(looks::lastIndexOf));
        assertThat(sent).isEqualTo(waiting);
    }

    @Test
    void aRequestWaitsForItsTurn() throws IOException {
        Pace real = new Pace(new RequestRate(100, 1), System::nanoTime);
        long before = System.nanoTime();
        for (int i = 0; i < 6; i++) {
            real.await(false, Duration.ofSeconds(10));
        }
        assertThat(System.nanoTime() - before)
                .isGreaterThan(Duration.ofMillis(49).toNanos());
    }

    @Test
    void aPaceWithoutRequestsIsRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> new RequestRate(0, 1));
        assertThatIllegalArgumentException().isThrownBy(() -> new RequestRate(1, 0));
    }
}
