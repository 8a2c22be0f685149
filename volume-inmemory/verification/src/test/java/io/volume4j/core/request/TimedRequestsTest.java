package io.volume4j.core.request;

import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.inmemory.virtual.VirtualScheduler;
import io.volume4j.spi.host.ClusterException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;

/** Requests that are answered, fail, hang, or find no thread, in virtual time. */
class TimedRequestsTest {
    private final VirtualScheduler world = new VirtualScheduler(1, Instant.EPOCH);
    private final List<Runnable> hanging = new ArrayList<>();
    private final List<String> heard = new ArrayList<>();
    private boolean hangs;
    private boolean noThread;
    private final TimedRequests requests = new TimedRequests(world.loop(), this::work, Duration.ofSeconds(10));

    private void work(Runnable task) {
        if (noThread) {
            throw new RejectedExecutionException("no thread");
        }
        if (hangs) {
            hanging.add(task);
        } else {
            world.workers().execute(task);
        }
    }

    private void send(String name) {
        requests.send(
                () -> name,
                (answer, failure) -> heard.add(failure == null ? answer : name + ": " + failure.getMessage()));
    }

    @Test
    void theAnswerComesOnTheLoopAndOnce() {
        send("a");
        assertThat(heard).isEmpty();
        world.advance(Duration.ofMinutes(1));
        assertThat(heard).containsExactly("a");
    }

    @Test
    void whatTheBodyOrTheExecutorThrowsIsTheAnswer() {
        requests.send(
                () -> {
                    throw new ClusterException(ClusterException.Reason.FORBIDDEN, "no");
                },
                (answer, failure) -> heard.add(String.valueOf(failure)));
        noThread = true;
        send("b");
        world.advance(Duration.ofMinutes(1));
        assertThat(heard).containsExactlyInAnyOrder("io.volume4j.spi.host.ClusterException: no", "b: no thread");
    }

    @Test
    void aRequestWithoutAnAnswerFailsAfterTheTimeoutAndALateAnswerIsDropped() {
        hangs = true;
        send("a");
        world.advance(Duration.ofSeconds(9));
        assertThat(heard).isEmpty();
        world.advance(Duration.ofSeconds(2));
        assertThat(heard).containsExactly("a: no answer within 10000 ms");

        hanging.forEach(Runnable::run);
        world.advance(Duration.ofMinutes(1));
        assertThat(heard).hasSize(1);
    }

    @Test
    void requestsThatHangKeepThreeWorkersUntilOneReturns() {
        hangs = true;
        for (String name : List.of("a", "b", "c", "d")) {
            send(name);
            world.advance(Duration.ofSeconds(11));
        }
        assertThat(hanging).hasSize(3);
        assertThat(heard).last().isEqualTo("d: 3 earlier requests have no answer");

        hangs = false;
        hanging.get(0).run();
        world.advance(Duration.ofSeconds(1));
        send("e");
        world.advance(Duration.ofSeconds(1));
        assertThat(heard).last().isEqualTo("e");
    }
}
