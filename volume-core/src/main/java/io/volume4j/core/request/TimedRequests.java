package io.volume4j.core.request;

import io.volume4j.core.engine.EventLoop;
import io.volume4j.spi.host.ClusterException;
import io.volume4j.spi.host.ClusterException.Reason;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Makes requests on workers, and calls back on the loop. A request that has no answer within the timeout is written off: its
 * owner gets a failure as of a lost answer, and a later answer is dropped. So a host's client that never returns does not
 * stop its owner. At most {@value #MOST_LOST} written-off requests keep a worker; meanwhile further requests fail at once.
 *
 * <p>The effect of a written-off request may still come. An owner must write with a precondition, or accept a late write.
 *
 * <p>Loop thread only.
 */
public final class TimedRequests {
    /** Most requests that were written off and have not returned. */
    static final int MOST_LOST = 3;

    private final EventLoop loop;
    private final Executor workers;
    private final Duration timeout;
    private int lost;

    public TimedRequests(EventLoop loop, Executor workers, Duration timeout) {
        this.loop = loop;
        this.workers = workers;
        this.timeout = timeout;
    }

    /**
     * Makes the request.
     *
     * @param body runs on a worker
     * @param answered called once, on the loop and not from within this method: with the answer, or with the failure of the
     *     body, of the worker, or of the timeout
     */
    public <T> void send(Supplier<T> body, BiConsumer<@Nullable T, @Nullable Throwable> answered) {
        if (lost >= MOST_LOST) {
            ClusterException refusal = unavailable(lost + " earlier requests have no answer");
            loop.execute(() -> answered.accept(null, refusal));
            return;
        }
        Request<T> request = new Request<>(answered);
        request.due = loop.schedule(timeout, request::writeOff);
        Runnable task = () -> {
            @Nullable T answer = null;
            @Nullable Throwable failure = null;
            try {
                answer = body.get();
            } catch (Throwable thrown) {
                failure = thrown;
            }
            @Nullable T given = answer;
            @Nullable Throwable why = failure;
            loop.execute(() -> request.returned(given, why));
        };
        try {
            workers.execute(task);
        } catch (Throwable noThread) {
            loop.execute(() -> request.returned(null, noThread));
        }
    }

    private static ClusterException unavailable(String why) {
        return new ClusterException(Reason.UNAVAILABLE, why);
    }

    private final class Request<T> {
        private final BiConsumer<@Nullable T, @Nullable Throwable> answered;
        private EventLoop.Timer due = () -> {};
        private boolean writtenOff;
        private boolean returned;

        Request(BiConsumer<@Nullable T, @Nullable Throwable> answered) {
            this.answered = answered;
        }

        void returned(@Nullable T answer, @Nullable Throwable failure) {
            due.cancel();
            returned = true;
            if (writtenOff) {
                lost--;
            } else {
                answered.accept(answer, failure);
            }
        }

        void writeOff() {
            if (returned) {
                return;
            }
            writtenOff = true;
            lost++;
            answered.accept(null, unavailable("no answer within " + timeout.toMillis() + " ms"));
        }
    }
}
