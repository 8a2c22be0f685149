package io.volume4j.core.events;

import com.google.common.util.concurrent.Uninterruptibles;
import io.volume4j.core.engine.CallThreads;
import io.volume4j.core.engine.DaemonThreads;
import io.volume4j.core.engine.ThreadEventLoop;
import io.volume4j.spi.host.ClusterWriter;
import io.volume4j.spi.host.EventSink;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Writes events as objects of {@code events.k8s.io} to the cluster, so that {@code kubectl describe} shows them. Pass
 * it to the builders of the controllers and of the {@code VolumeManager}.
 *
 * <p>An equal event within six minutes becomes part of a series. The sink writes the series' count at once the first
 * time, then at most every half minute. For one object it writes at most 25 events at once, and one more every five
 * minutes. It tries to write an event three times, then drops it and logs one warning. Reconciling never waits for
 * events.
 *
 * <p>The process needs permission to create and patch {@code events} of {@code events.k8s.io}.
 *
 * <p>Thread-safe.
 *
 * @since 0.1.0
 */
public final class ClusterEvents implements EventSink, AutoCloseable {
    private static final Duration LAST_WRITES = Duration.ofSeconds(3);

    private final EventWriter events;
    private final ThreadEventLoop loop;
    private final @Nullable CallThreads ownWorkers;
    private final AtomicBoolean closed = new AtomicBoolean();

    private ClusterEvents(EventWriter events, ThreadEventLoop loop, @Nullable CallThreads ownWorkers) {
        this.events = events;
        this.loop = loop;
        this.ownWorkers = ownWorkers;
    }

    public static Builder builder() {
        return new Builder();
    }

    @Override
    public void event(Event event) {
        events.event(event);
    }

    /** Writes the waiting events, for at most three seconds, and ends its threads. Idempotent. */
    @Override
    public void close() {
        if (closed.getAndSet(true)) {
            return;
        }
        try {
            Uninterruptibles.getUninterruptibly(events.close(), LAST_WRITES);
        } catch (TimeoutException | ExecutionException hangs) {
            // Events are for users: those that cannot be written now are dropped.
        }
        // A write may run on the loop's own thread, if the host's executor does that.
        var unused = loop.close(() -> true, LAST_WRITES);
        if (ownWorkers != null) {
            ownWorkers.close();
        }
    }

    /** Builds the sink. Not thread-safe. */
    public static final class Builder {
        private @Nullable ClusterWriter writer;
        private String controller = "volume4j.io/controllers";
        private String instance = "";
        private @Nullable Executor workers;

        private Builder() {}

        /** The cluster that stores the events. Required. The sink calls only {@code create} and {@code patch}. */
        public Builder cluster(ClusterWriter newWriter) {
            writer = newWriter;
            return this;
        }

        /**
         * The reporter of the events.
         * @param newController the reporting controller; default {@code volume4j.io/controllers}
         * @param newInstance the instance of the controller, such as the name of the node or the pod; default a
         *     random word
         */
        public Builder reporter(String newController, String newInstance) {
            controller = newController;
            instance = newInstance;
            return this;
        }

        /**
         * The executor for calls to the cluster. The sink makes one call after another, and keeps a thread for each call
         * that has no answer, up to three. Default: daemon threads that the sink creates as needed.
         */
        public Builder workers(Executor executor) {
            workers = executor;
            return this;
        }

        /**
         * The sink, ready for events.
         *
         * @throws IllegalStateException if the cluster is missing
         * @throws io.volume4j.spi.VolumeException transient, if no thread can be created
         */
        public ClusterEvents build() {
            if (writer == null) {
                throw new IllegalStateException("events need cluster(writer) before build()");
            }
            SplittableRandom random = new SplittableRandom();
            ThreadEventLoop loop = ThreadEventLoop.start(
                    new DaemonThreads("volume-events-loop-"), System::nanoTime, InstantSource.system());
            @Nullable Executor given = workers;
            @Nullable CallThreads own = given == null ? loop.callThreads(new DaemonThreads("volume-events-op-")) : null;
            EventWriter events = new EventWriter(
                    controller,
                    instance.isEmpty() ? Long.toHexString(random.nextLong()) : instance,
                    writer,
                    loop,
                    given == null ? Objects.requireNonNull(own) : given,
                    random);
            return new ClusterEvents(events, loop, own);
        }
    }
}
