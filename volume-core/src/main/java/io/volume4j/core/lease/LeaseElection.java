package io.volume4j.core.lease;

import com.google.common.util.concurrent.Uninterruptibles;
import io.volume4j.core.engine.DaemonThreads;
import io.volume4j.core.engine.HealthCheck;
import io.volume4j.core.engine.ThreadEventLoop;
import io.volume4j.core.explain.Health;
import io.volume4j.spi.host.ClusterSource;
import io.volume4j.spi.host.ClusterWriter;
import io.volume4j.spi.host.LeaderEpoch;
import io.volume4j.spi.model.ObjectKey;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Elects one of several processes with a {@code Lease} of {@code coordination.k8s.io}, as Kubernetes' own controllers
 * do. Pass it to the builders of the controllers: one process works, the others stand by.
 *
 * <pre>{@code
 * LeaseElection election = LeaseElection.builder()
 *         .cluster(source, writer)
 *         .lease("kube-system", "volume4j-controllers")
 *         .build();
 * election.start();
 * PersistentVolumeController controller = PersistentVolumeController.builder()….leader(election).build();
 * …
 * controller.close();
 * election.close();
 * }</pre>
 *
 * <p>The epoch is the Lease's {@code leaseTransitions}, and each write is compared with the {@code resourceVersion}
 * of the Lease, so two processes never lead with the same epoch. When a leader dies, another process takes over after
 * it has seen the Lease unchanged for {@linkplain Builder#duration its duration}. When a leader closes, another
 * process takes over within the retry period. Do not delete the Lease: a process that has never seen it would start
 * the epoch from the beginning.
 *
 * <p>The process needs permission to get, create and patch Leases in the namespace.
 *
 * <p>Thread-safe. Logs at INFO when the process becomes leader and when it stops leading. Logs at WARN when it cannot
 * read or write the Lease.
 *
 * @since 0.1.0
 */
public final class LeaseElection implements LeaderEpoch, AutoCloseable {
    private static final Duration GIVE_BACK = Duration.ofSeconds(5);

    private final ObjectKey key;
    private final LeaseAgent agent;
    private final ThreadEventLoop loop;
    private final AutoCloseable workers;
    private final AtomicBoolean closed = new AtomicBoolean();
    private final AtomicBoolean ended = new AtomicBoolean();
    private boolean started;

    private LeaseElection(ObjectKey key, LeaseAgent agent, ThreadEventLoop loop, AutoCloseable workers) {
        this.key = key;
        this.agent = agent;
        this.loop = loop;
        this.workers = workers;
    }

    public static Builder builder() {
        return new Builder();
    }

    /**
     * Joins the election.
     *
     * @throws IllegalStateException if it was started or closed before
     */
    public synchronized void start() {
        if (started || closed.get()) {
            throw new IllegalStateException("an election can be started only once; build another one");
        }
        started = true;
        agent.start();
    }

    /**
     * Whether the election works, for a readiness probe. Not ready before the process has read the Lease, and while it
     * cannot read or renew it: the controllers, which only see that they do not lead, call that standing by. Blocks for
     * at most {@link Health#PATIENCE}; answers at once in a listener.
     */
    public Health health() {
        return new HealthCheck("the election by " + key, loop, closed::get, agent::health).within(Health.PATIENCE);
    }

    @Override
    public long epoch() {
        return agent.epoch();
    }

    @Override
    public Duration remaining() {
        return agent.remaining();
    }

    @Override
    public boolean addListener(Runnable listener) {
        return agent.addListener(listener);
    }

    @Override
    public void removeListener(Runnable listener) {
        agent.removeListener(listener);
    }

    /**
     * Stops leading at once, releases the Lease within at most five seconds, and ends its threads. Waits at most five
     * more seconds for a listener that does not return. Close the controllers that use it first. Idempotent. A listener
     * of this election may call it: then it returns at once, and the rest happens after the listener has returned.
     */
    @Override
    public void close() {
        // No lock: the listeners that hear of the end may close it, too, while this call waits for them.
        if (closed.getAndSet(true)) {
            return;
        }
        CompletableFuture<Void> givenBack = agent.close();
        if (loop.inLoop()) {
            var unused = givenBack.whenComplete((nothing, failure) -> end());
            loop.schedule(GIVE_BACK, this::end);
            return;
        }
        try {
            Uninterruptibles.getUninterruptibly(givenBack, GIVE_BACK);
        } catch (TimeoutException | ExecutionException hangs) {
            // The Lease expires after its duration.
        }
        end();
    }

    private void end() {
        if (ended.getAndSet(true)) {
            return;
        }
        // A listener may be waiting for a lock of the caller.
        var unused = loop.close(() -> true, GIVE_BACK);
        try {
            workers.close();
        } catch (Exception impossible) {
            throw new IllegalStateException("ending the threads of an election", impossible);
        }
    }

    /** Builds an election. Not thread-safe. */
    public static final class Builder {
        private @Nullable ClusterSource source;
        private @Nullable ClusterWriter writer;
        private @Nullable ObjectKey key;
        private String identity = "";
        private Duration duration = Duration.ofSeconds(15);
        private Duration renewDeadline = Duration.ofSeconds(10);
        private Duration retryPeriod = Duration.ofSeconds(2);
        private @Nullable Executor workers;

        private Builder() {}

        /**
         * The cluster that stores the Lease. Required. The election calls only {@code readLive}, {@code create} and
         * {@code patch}.
         */
        public Builder cluster(ClusterSource newSource, ClusterWriter newWriter) {
            source = newSource;
            writer = newWriter;
            return this;
        }

        /** Namespace and name of the Lease, the same for all processes of the election. Required. */
        public Builder lease(String namespace, String name) {
            key = ObjectKey.lease(namespace, name);
            return this;
        }

        /**
         * The holder's name for people, such as the name of the host or the pod; default {@code volume4j}. The
         * election appends a random suffix, so that a restarted process counts as another process.
         */
        public Builder identity(String name) {
            identity = name;
            return this;
        }

        /** How long after its last renewal another process replaces a dead leader. Whole seconds; default 15 s. */
        public Builder duration(Duration lasts) {
            duration = lasts;
            return this;
        }

        /**
         * How long after its last renewal a leader continues to work; default 10 s. Must be shorter than the
         * duration.
         */
        public Builder renewDeadline(Duration leads) {
            renewDeadline = leads;
            return this;
        }

        /**
         * How often a leader renews the Lease and the other processes read it; default 2 s. At most half of the renew
         * deadline.
         */
        public Builder retryPeriod(Duration every) {
            retryPeriod = every;
            return this;
        }

        /**
         * The executor for calls to the cluster. The election makes one call after another, and keeps a thread for each
         * call that has no answer, up to three. Default: daemon threads that the election creates as needed.
         */
        public Builder workers(Executor executor) {
            workers = executor;
            return this;
        }

        /**
         * Builds the election. It is not started yet.
         *
         * @throws IllegalStateException if the cluster or the Lease is missing
         * @throws IllegalArgumentException if the durations do not fit together
         * @throws io.volume4j.spi.VolumeException transient, if no thread can be created
         */
        public LeaseElection build() {
            if (source == null || writer == null || key == null) {
                throw new IllegalStateException("an election needs " + missing() + " before build()");
            }
            LeaseTimes times = new LeaseTimes(duration, renewDeadline, retryPeriod);
            SplittableRandom random = new SplittableRandom();
            String me = (identity.isEmpty() ? "volume4j" : identity) + "_" + Long.toHexString(random.nextLong());
            ThreadEventLoop loop = ThreadEventLoop.start(
                    new DaemonThreads("volume-lease-loop-"), System::nanoTime, InstantSource.system());
            @Nullable Executor given = workers;
            var own = given == null ? loop.callThreads(new DaemonThreads("volume-lease-op-")) : null;
            LeaseAgent agent = new LeaseAgent(
                    key, me, times, source, writer, loop, given == null ? Objects.requireNonNull(own) : given, random);
            return new LeaseElection(key, agent, loop, own == null ? () -> {} : own);
        }

        private String missing() {
            boolean noCluster = source == null || writer == null;
            String cluster = "cluster(source, writer)";
            String lease = "lease(namespace, name)";
            return noCluster && key == null ? cluster + " and " + lease : noCluster ? cluster : lease;
        }
    }
}
