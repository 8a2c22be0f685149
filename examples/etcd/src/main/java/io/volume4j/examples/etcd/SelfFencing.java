package io.volume4j.examples.etcd;

import io.volume4j.spi.host.ClusterException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps a node's volumes mounted only while its lease certainly lasts. Begins the lease before each life and renews it. When the lease
 * may end, the life must give up its volumes. Then this class writes to etcd that the node is fenced, and begins another life as soon as
 * etcd answers. Decision 033 explains why controllers may rely on that.
 *
 * <p>One thread renews and decides, another one feeds the watchdog. So a hanging call to etcd cannot cause a reset while the lease
 * certainly lasts. Thread-safe.
 */
public final class SelfFencing implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(SelfFencing.class);

    /** The pause between two attempts to give up volumes, in milliseconds. It is short because it counts against the time to fence. */
    private static final long GIVING_UP_PAUSE = 200;

    private final EtcdNodeLease lease;
    private final Supplier<String> lives;
    private final Supplier<NodeLife> start;
    private final Duration timeToFence;
    private final @Nullable Watchdog watchdog;
    private final ScheduledExecutorService decides;
    private final ScheduledExecutorService feeds;

    /** Only on the thread that decides. */
    private @Nullable NodeLife life;
    /** Only on the thread that decides: whether the life gives up its volumes. Such a life never mounts again. */
    private boolean givesUp;
    /** Only on the thread that decides: the current attempt to give up volumes, or null. */
    private @Nullable CompletableFuture<Boolean> attempt;
    /** Only on the thread that decides: the last failure, so that the log has one line for one failure. */
    private String failure = "";

    /**
     * Whether no volume that a controller attached is mounted. The watchdog is then fed without a lease. False at first: an earlier
     * life may have left mounts and its watchdog promise.
     */
    private volatile boolean bare;

    private volatile boolean armed;

    private volatile boolean released;

    private volatile boolean closed;

    /** Only on the thread that feeds: whether the last feed failed. */
    private boolean hungry;

    private final CompletableFuture<Boolean> firstLife = new CompletableFuture<>();

    /**
     * Does nothing before {@link #start}.
     *
     * @param lives provides a new, unique name for each life
     * @param start creates a life that is not yet started. Nothing renews the lease while the life starts, so it must start in a third
     *     of the lease
     * @param timeToFence how long it takes to stop the users of volumes and to unmount. The life gives up its volumes so long before the
     *     lease may end. The lease must last at least three times the sum of this time and twice the watchdog's timeout
     * @param watchdog null for none: then the end of a lease is no evidence for the controllers
     */
    public SelfFencing(
            EtcdNodeLease lease,
            Supplier<String> lives,
            Supplier<NodeLife> start,
            Duration timeToFence,
            @Nullable Watchdog watchdog) {
        this.lease = lease;
        this.lives = lives;
        this.start = start;
        this.timeToFence = timeToFence;
        this.watchdog = watchdog;
        Duration reserve = reserve(timeToFence, watchdog);
        if (lease.ttl().compareTo(reserve.multipliedBy(3)) < 0) {
            throw new IllegalArgumentException("a lease of " + lease.ttl().toSeconds()
                    + " s is too short: it takes " + timeToFence.toSeconds() + " s to fence the node"
                    + (watchdog == null
                            ? ""
                            : ", and twice the watchdog's " + watchdog.timeout().toSeconds() + " s are kept")
                    + "; give it " + reserve.multipliedBy(3).toSeconds() + " s");
        }
        decides = thread("node-lease");
        feeds = thread("node-watchdog");
    }

    private static ScheduledExecutorService thread(String name) {
        return Executors.newSingleThreadScheduledExecutor(task -> {
            Thread made = new Thread(task, name);
            made.setDaemon(true);
            return made;
        });
    }

    /** The remaining time of the lease at which the life must give up its volumes. */
    private static Duration reserve(Duration timeToFence, @Nullable Watchdog watchdog) {
        return watchdog == null
                ? timeToFence
                : timeToFence.plus(watchdog.timeout().multipliedBy(2));
    }

    /**
     * Begins, and returns at once. The first life starts when etcd answers.
     *
     * @return completes when the first life has started. Fails with a conflict if another machine has the node's name; then nothing is
     *     armed, and nothing is changed in etcd. Fails with the cause if the watchdog or the life cannot start. After a failure this
     *     object does nothing more, and the caller must close it. Completes on the thread that renews the lease, which a dependent stage
     *     must not block
     */
    @SuppressWarnings("FutureReturnValueIgnored") // a turn ends normally whatever fails in it
    public CompletableFuture<Boolean> start() {
        // First: without a thread that feeds, no turn may arm the watchdog.
        if (watchdog != null) {
            feeds.scheduleWithFixedDelay(this::feed, 0, watchdog.timeout().toMillis() / 5, TimeUnit.MILLISECONDS);
        }
        decides.execute(this::turnAndAgain);
        return firstLife.copy();
    }

    private void turnAndAgain() {
        turnSafely();
        if (firstLife.isCompletedExceptionally()) {
            return;
        }
        long pause =
                givesUp && !bare ? GIVING_UP_PAUSE : Math.max(200, lease.ttl().toMillis() / 12);
        try {
            var unused = decides.schedule(this::turnAndAgain, pause, TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException closed) {
            LOG.atDebug().log("the node's lease is looked at no more: the agent ends");
        }
    }

    /**
     * Feeds the watchdog only while the lease outlasts twice its time, or nothing is mounted. A failed feed is repeated at the next turn:
     * a timer that throws ends, and then one failure would reset the machine.
     */
    void feed() {
        Watchdog dog = watchdog;
        if (dog == null || !mayFeed(dog)) {
            return;
        }
        try {
            dog.feed();
            hungry = false;
        } catch (RuntimeException | Error failed) {
            if (!hungry) {
                LOG.atWarn()
                        .setCause(failed)
                        .addKeyValue("timeoutMillis", dog.timeout().toMillis())
                        .log(
                                "the watchdog cannot be fed, which is tried again; it resets the machine after its timeout");
            }
            hungry = true;
        }
    }

    private boolean mayFeed(Watchdog dog) {
        return armed
                && !released
                && (bare || lease.sureFor().compareTo(dog.timeout().multipliedBy(2)) >= 0);
    }

    private void turnSafely() {
        try {
            turn();
            if (!givesUp) {
                failure = "";
            }
        } catch (ClusterException failed) {
            told(String.valueOf(failed.getMessage()));
        } catch (RuntimeException | Error broken) {
            // Errors too, such as a thread that cannot start: an uncaught error would end the turns, and the lease.
            LOG.atError()
                    .setCause(broken)
                    .addKeyValue("next", firstLife.isCompletedExceptionally() ? "nothing" : "it is tried again")
                    .log("the node's lease failed");
        }
    }

    private void told(String said) {
        if (!said.equals(failure)) {
            failure = said;
            LOG.atWarn()
                    .addKeyValue("sureForMillis", lease.sureFor().toMillis())
                    .log("the node's lease is not as it should be, which is tried again: {}", said);
        }
    }

    /** One turn: does what the state of the lease requires. */
    void turn() {
        if (life == null) {
            beginLife();
        } else if (givesUp) {
            goOnGivingUp(life);
        } else {
            renewOrGiveUp(life);
        }
    }

    private void beginLife() {
        try {
            takeName();
            bare = false;
            NodeLife next = start.get();
            LOG.atInfo().log("the node's lease has begun");
            try {
                next.start();
            } catch (RuntimeException | Error failed) {
                next.close();
                throw failed;
            }
            if (closed) {
                // close() does not wait for a life that starts for long.
                next.close();
                return;
            }
            life = next;
            firstLife.complete(true);
        } catch (ClusterException refused) {
            if (refused.reason() == ClusterException.Reason.CONFLICT) {
                firstLife.completeExceptionally(refused);
            }
            throw refused;
        } catch (RuntimeException | Error cannotStart) {
            firstLife.completeExceptionally(cannotStart);
            throw cannotStart;
        }
    }

    /**
     * Begins the lease, then arms the watchdog, then writes the promise. So a node with a wrong name fails before it arms anything. And
     * the promise of an earlier life is withdrawn before this process opens the watchdog: opening feeds it, so an agent that crashes at
     * each start would break that promise.
     */
    private void takeName() {
        Watchdog dog = watchdog;
        lease.begin(lives.get(), armed);
        if (dog != null && !armed) {
            // only now: a machine that boots while etcd is unavailable must not be reset for that
            dog.arm();
            armed = true;
            lease.guarded();
        }
    }

    private void renewOrGiveUp(NodeLife serving) {
        boolean renewed = false;
        try {
            renewed = lease.renew();
        } catch (ClusterException failed) {
            told(String.valueOf(failed.getMessage()));
        }
        Duration left = lease.sureFor();
        // the next turn comes after a pause and a renewal that may hang
        Duration needed = reserve(timeToFence, watchdog).plus(lease.ttl().dividedBy(5));
        if (!renewed && left.compareTo(needed) < 0) {
            LOG.atWarn()
                    .addKeyValue("sureForMillis", left.toMillis())
                    .log("the lease cannot be renewed: the node stops the users of its volumes and unmounts them");
            givesUp = true;
            goOnGivingUp(serving);
        }
    }

    private void goOnGivingUp(NodeLife serving) {
        if (!bare && !gaveUp(serving)) {
            return;
        }
        bare = true;
        serving.close();
        sayFenced();
        givesUp = false;
        life = null;
        beginLife();
    }

    private void sayFenced() {
        try {
            lease.fenced();
            LOG.atInfo().log("the node gave up its volumes, and etcd knows it");
        } catch (ClusterException refused) {
            if (refused.reason() != ClusterException.Reason.CONFLICT) {
                throw refused;
            }
            LOG.atWarn().log("the node gave up its volumes, but its name is taken: {}", refused.getMessage());
        }
    }

    /** False while the volumes are not given up. After a failed attempt the next call begins another one, until the watchdog acts. */
    private boolean gaveUp(NodeLife serving) {
        try {
            CompletableFuture<Boolean> running = attempt == null ? serving.fence() : attempt;
            attempt = running;
            boolean done = running.get(100, TimeUnit.MILLISECONDS);
            attempt = null;
            return done;
        } catch (TimeoutException notYet) {
            return false;
        } catch (ExecutionException failed) {
            attempt = null;
            told("the node cannot give up its volumes: " + failed.getCause() + "; " + consequence());
            return false;
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return false;
        } catch (RuntimeException | Error failed) {
            attempt = null;
            told("the node cannot give up its volumes: " + failed + "; " + consequence());
            return false;
        }
    }

    private String consequence() {
        return watchdog == null
                ? "the controllers wait until it has"
                : "the watchdog resets the machine if it has not before its lease ends";
    }

    /** Ends the life; its mounts stay. Controllers then get no evidence, because this process no longer guards the mounts. */
    @Override
    public void close() {
        closed = true;
        // A host that ends its threads interrupts them. Then all calls to etcd would fail at once, and the watchdog
        // would reset the machine.
        boolean interrupted = Thread.interrupted();
        try {
            end();
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private void end() {
        decides.shutdownNow();
        feeds.shutdownNow();
        try {
            decides.awaitTermination(10, TimeUnit.SECONDS);
            feeds.awaitTermination(1, TimeUnit.SECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        try {
            if (life != null) {
                life.close();
            }
        } finally {
            letGo();
        }
    }

    /** Stops the watchdog only after etcd has stored that it stops. Otherwise the watchdog resets the machine, as promised. */
    private void letGo() {
        if (life == null && bare) {
            release();
            return;
        }
        if (!lease.begun()) {
            return;
        }
        try {
            if (!bare) {
                lease.unguarded();
            }
            lease.end();
            release();
        } catch (ClusterException unreached) {
            LOG.atWarn()
                    .addKeyValue("watchdog", watchdog == null ? "none" : "resets the machine soon")
                    .log("etcd does not know that the node's agent ended: {}", unreached.getMessage());
        }
    }

    private void release() {
        released = true;
        Watchdog dog = watchdog;
        if (dog != null && armed) {
            dog.release();
        }
    }
}
