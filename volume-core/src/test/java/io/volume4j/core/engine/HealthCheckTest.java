package io.volume4j.core.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.core.explain.Health;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The answer of a loop, or that there is none. */
@Timeout(60)
class HealthCheckTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final ThreadEventLoop loop =
            ThreadEventLoop.start(new DaemonThreads("health-"), System::nanoTime, InstantSource.system());
    private final AtomicBoolean closed = new AtomicBoolean();
    private final HealthCheck check = new HealthCheck("the agent", loop, closed::get, Health::standingBy);

    @AfterEach
    void end() {
        loop.close();
    }

    @Test
    void isWhatTheLoopAnswers() {
        assertThat(check.within(PATIENCE)).isEqualTo(Health.standingBy());
    }

    @Test
    void answersOnTheLoopItself() throws Exception {
        CountDownLatch answered = new CountDownLatch(1);
        loop.execute(() -> {
            if (check.within(PATIENCE).ready()) {
                answered.countDown();
            }
        });
        answered.await();
    }

    @Test
    void isNotLiveWhileTheLoopHangsAndLiveAgainAfterwards() throws Exception {
        CountDownLatch hanging = new CountDownLatch(1);
        CountDownLatch over = new CountDownLatch(1);
        loop.execute(() -> {
            hanging.countDown();
            try {
                over.await();
            } catch (InterruptedException unexpected) {
                Thread.currentThread().interrupt();
            }
        });
        hanging.await();

        Health health = check.within(Duration.ofMillis(20));
        assertThat(health.live()).isFalse();
        assertThat(health.text())
                .startsWith("not live, not ready: the event loop of the agent did not answer within 20 ms");

        over.countDown();
        assertThat(check.within(PATIENCE).live()).isTrue();
    }

    @Test
    void isNotLiveOnceItWasClosed() {
        closed.set(true);

        assertThat(check.within(PATIENCE)).isEqualTo(Health.notLive("the agent was closed"));
    }

    @Test
    void isNotReadyIfTheReconcilerCannotSay() {
        HealthCheck broken = new HealthCheck("the agent", loop, closed::get, () -> {
            throw new IllegalStateException("broken");
        });

        assertThat(broken.within(PATIENCE).text())
                .isEqualTo("live, not ready: the agent cannot report its health: "
                        + "java.lang.IllegalStateException: broken");
    }
}
