package io.volume4j.core.events;

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
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Keeps events as objects of {@code events.k8s.io} in the cluster, so that {@code kubectl describe} shows them. Give it to the
 * builders of the controllers and of the {@code VolumeManager}.
 *
 * <p>The same event again within six minutes becomes a series: its count is written at once the first time, then at most every
 * half minute. Of one object at most 25 events are written at once, and one more every five minutes. An event that cannot be
 * written is tried three times and dropped, with one warning in the log: nothing waits for events.
 *
 * <p>The cluster must let the process create and patch {@code events} of {@code events.k8s.io}.
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

    /** Writes what waits, which takes three seconds at most, and ends its threads. Idempotent. */
    @Override
    public void close() {
        try {
            events.close().get(LAST_WRITES.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        } catch (TimeoutException | ExecutionException hangs) {
            // Events are for people: those that cannot be written now are dropped.
        }
        loop.close();
        if (ownWorkers != null) {
            ownWorkers.close();
        }
    }

    /** What it needs. Not thread-safe. */
    public static final class Builder {
        private @Nullable ClusterWriter writer;
        private String controller = "volume4j.io/controllers";
        private String instance = "";
        private @Nullable Executor workers;

        private Builder() {}

        /** Where events are stored. Required. Only {@code create} and {@code patch} are called. */
        public Builder cluster(ClusterWriter newWriter) {
            writer = newWriter;
            return this;
        }

        /**
         * Who reports.
         *
         * @param newController such as {@code volume4j.io/controllers}, which is the default
         * @param newInstance which of them, such as the name of the node or the pod; default a random word
         */
        public Builder reporter(String newController, String newInstance) {
            controller = newController;
            instance = newInstance;
            return this;
        }

        /** Runs calls to the cluster, one at a time; default daemon threads that come and go. */
        public Builder workers(Executor executor) {
            workers = executor;
            return this;
        }

        /**
         * The sink, ready for events.
         *
         * @throws IllegalStateException if the cluster is missing
         * @throws io.volume4j.spi.VolumeException transient, if there is no thread
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
