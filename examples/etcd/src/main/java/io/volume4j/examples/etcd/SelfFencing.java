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
 * Keeps a node's volumes only while its lease is sure: begins the lease before each life, renews it, and has the life give up its volumes
 * when the lease may end. After that it says so in etcd, and begins another life as soon as etcd answers. Decision 033 says why
 * controllers may believe that.
 *
 * <p>Two threads: one renews and decides, the other feeds the watchdog, so that a call to etcd that hangs starves no machine whose lease
 * is sure. Thread-safe.
 */
public final class SelfFencing implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(SelfFencing.class);

    /** Between two tries to give up, in milliseconds: each counts against the time to fence. */
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
    /** Only on the thread that decides: whether the life gives up its volumes. It never serves again. */
    private boolean givesUp;
    /** Only on the thread that decides: the try to give up that is under way, null for none. */
    private @Nullable CompletableFuture<Boolean> attempt;
    /** Only on the thread that decides: the last failure, so that one failure is logged once. */
    private String failure = "";

    /**
     * Whether nothing that a controller attached is mounted, so that the watchdog is fed without a lease. Not so at first: an earlier
     * life may have left mounts, and the promise that it gave.
     */
    private volatile boolean bare;

    private volatile boolean armed;

    private volatile boolean released;

    private final CompletableFuture<Boolean> firstLife = new CompletableFuture<>();

    /**
     * Does nothing before {@link #start}.
     *
     * @param lives names for lives, each different from all before
     * @param start makes a life, not yet started
     * @param timeToFence how long it takes to stop users and to unmount: so long before the lease may end, the life gives up. The
     *     lease must last three times as long as this and twice the watchdog's timeout together
     * @param watchdog null for none: then a lease that ends proves nothing to the controllers
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

    /** What of the lease is left when the life must give up. */
    private static Duration reserve(Duration timeToFence, @Nullable Watchdog watchdog) {
        return watchdog == null
                ? timeToFence
                : timeToFence.plus(watchdog.timeout().multipliedBy(2));
    }

    /**
     * Begins; returns at once. The first life starts when etcd answers.
     *
     * @return completes when the first life has started. Fails if it cannot: with a conflict, and nothing armed or changed in etcd, if the
     *     node's name is another machine's; or with why the watchdog or the life refuses. Then this does nothing more until it is closed
     */
    @SuppressWarnings("FutureReturnValueIgnored") // a turn ends normally whatever fails in it
    public CompletableFuture<Boolean> start() {
        decides.execute(this::turnAndAgain);
        if (watchdog != null) {
            feeds.scheduleWithFixedDelay(this::feed, 0, watchdog.timeout().toMillis() / 5, TimeUnit.MILLISECONDS);
        }
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

    /** Feeds only while the lease outlasts twice the watchdog's time, or nothing is mounted. */
    void feed() {
        Watchdog dog = watchdog;
        if (dog != null
                && armed
                && !released
                && (bare || lease.sureFor().compareTo(dog.timeout().multipliedBy(2)) >= 0)) {
            dog.feed();
        }
    }

    private void turnSafely() {
        try {
            turn();
            if (!givesUp) {
                failure = "";
            }
        } catch (ClusterException failed) {
            told(String.valueOf(failed.getMessage()));
        } catch (RuntimeException broken) {
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

    /** One look: what the state of the lease asks for. */
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
            } catch (RuntimeException failed) {
                next.close();
                throw failed;
            }
            life = next;
            firstLife.complete(true);
        } catch (ClusterException refused) {
            if (refused.reason() == ClusterException.Reason.CONFLICT) {
                firstLife.completeExceptionally(refused);
            }
            throw refused;
        } catch (RuntimeException cannotStart) {
            firstLife.completeExceptionally(cannotStart);
            throw cannotStart;
        }
    }

    /**
     * The first life has the watchdog's promise only after its lease has begun: a node of a wrong name is refused before anything is
     * armed, and an agent that crashes at each start must not keep the watchdog from what an earlier life promised by opening it.
     */
    private void takeName() {
        Watchdog dog = watchdog;
        lease.begin(lives.get(), armed);
        if (dog != null && !armed) {
            // only now: a machine whose etcd is away when it boots is not reset for that
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
        // the next look comes after a pause and a renewal that may hang
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

    /** A try that fails is no end: another one begins at once, until one succeeds or the watchdog acts. */
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
        } catch (RuntimeException failed) {
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

    /** Ends the life; its mounts stay. Controllers get no evidence then, because nothing watches the mounts any more. */
    @Override
    public void close() {
        decides.shutdownNow();
        feeds.shutdownNow();
        try {
            decides.awaitTermination(10, TimeUnit.SECONDS);
            feeds.awaitTermination(1, TimeUnit.SECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        if (life != null) {
            life.close();
        }
        letGo();
    }

    /** The watchdog is let go only after etcd knows that it is: otherwise it resets the machine, which is what was promised. */
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
