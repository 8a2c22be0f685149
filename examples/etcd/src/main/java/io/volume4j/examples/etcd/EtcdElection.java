package io.volume4j.examples.etcd;

import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.KeyValue;
import io.etcd.jetcd.Lease;
import io.etcd.jetcd.Watch.Watcher;
import io.etcd.jetcd.options.GetOption;
import io.etcd.jetcd.options.PutOption;
import io.etcd.jetcd.options.WatchOption;
import io.volume4j.core.explain.Health;
import io.volume4j.spi.host.ClusterException;
import io.volume4j.spi.host.LeaderEpoch;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Elects one of several processes with etcd's leases: each process puts a key under its own lease, and the process with the oldest key
 * leads. The epoch is the creation revision of the leader's key, so it grows with every new leader and never repeats. The process
 * certainly leads for the time of the lease, counted from the moment before it requested the renewal. Thread-safe.
 *
 * <p>Give the same election to the controllers ({@code leader(election)}) and to the cluster to which they write ({@link
 * EtcdCluster.Builder#onlyAs}). Then etcd refuses the writes of a process that was deposed without noticing, for example because it
 * was stopped for longer than its lease.
 */
public final class EtcdElection implements LeaderEpoch, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(EtcdElection.class);
    private static final Duration GIVE_BACK = Duration.ofSeconds(5);

    private final EtcdClient etcd;
    private final String name;
    private final Duration ttl;
    private final LongSupplier nanoTime;
    private final ScheduledExecutorService thread;
    private final List<Runnable> listeners = new CopyOnWriteArrayList<>();

    /** Only on the thread. */
    private long lease;
    /** Only on the thread. */
    private @Nullable Watcher watcher;
    /** Why the last turn failed, empty if it did not. The log has one line for one failure. */
    private volatile String trouble = "etcd has not answered yet";

    private volatile State state = State.NONE;
    private final AtomicBoolean closed = new AtomicBoolean();
    private volatile @Nullable Thread worker;

    /**
     * A process that takes part in the election.
     *
     * @param revision the key's creation revision
     */
    record Candidate(ByteSequence key, long revision) {}

    /**
     * The state of the election as this process knows it.
     *
     * @param own this process's key, or null while it has none
     * @param oldest the creation revision of the leader's key
     * @param until when the lease ends
     */
    private record State(@Nullable Candidate own, long oldest, long until) {
        static final State NONE = new State(null, 0, 0);

        boolean first() {
            return own != null && own.revision() == oldest;
        }
    }

    private EtcdElection(EtcdClient etcd, String name, Duration ttl, LongSupplier nanoTime) {
        this.etcd = etcd;
        this.name = name;
        this.ttl = ttl;
        this.nanoTime = nanoTime;
        thread = Executors.newSingleThreadScheduledExecutor(task -> {
            Thread made = new Thread(task, "etcd-election-" + name);
            made.setDaemon(true);
            worker = made;
            return made;
        });
    }

    /**
     * Takes part from now on. The election's own thread makes the first call to etcd at once.
     *
     * @param name the name of the election; its processes elect one leader
     * @param ttl how long the other processes wait after a leader dies; whole seconds, 3 at least
     * @throws IllegalArgumentException for a shorter time
     */
    public static EtcdElection start(EtcdClient etcd, String name, Duration ttl) {
        return start(etcd, name, ttl, System::nanoTime);
    }

    static EtcdElection start(EtcdClient etcd, String name, Duration ttl, LongSupplier nanoTime) {
        if (ttl.toSeconds() < 3) {
            throw new IllegalArgumentException(
                    "a lease lasts 3 s at least, or a slow disk of etcd deposes leaders, but is " + ttl);
        }
        if (name.isEmpty() || name.contains("/")) {
            throw new IllegalArgumentException(
                    "\"" + name + "\" is no name of an election: it must not be empty nor hold a slash");
        }
        EtcdElection election = new EtcdElection(etcd, name, ttl, nanoTime);
        election.begin();
        return election;
    }

    /** A turn ends normally whatever fails in it, so the future never reports a failure. */
    @SuppressWarnings("FutureReturnValueIgnored")
    private void begin() {
        thread.scheduleWithFixedDelay(this::turn, 0, ttl.toMillis() / 4, TimeUnit.MILLISECONDS);
    }

    /** Whether the election works, for a readiness probe: not ready before etcd has answered, and while it does not. */
    public Health health() {
        if (closed.get()) {
            return Health.notLive("election " + name + " was closed");
        }
        boolean leads = !remaining().isZero();
        boolean late = !leads && state.first();
        String why = late && trouble.isEmpty() ? "the lease was not renewed in time" : trouble;
        if (!why.isEmpty()) {
            return Health.notReady(leads, List.of("election " + name + ": " + why));
        }
        return leads ? Health.working() : Health.standingBy();
    }

    @Override
    public long epoch() {
        return known().oldest();
    }

    @Override
    public Duration remaining() {
        return left(known());
    }

    /** A turn that was under way when the election was closed may still write the state. */
    private State known() {
        return closed.get() ? State.NONE : state;
    }

    private Duration left(State now) {
        if (!now.first()) {
            return Duration.ZERO;
        }
        // a tenth less, because two clocks may run at different speeds
        long left = now.until() - nanoTime.getAsLong() - ttl.toNanos() / 10;
        return left <= 0 ? Duration.ZERO : Duration.ofNanos(left);
    }

    /** This process's key, if the process believes that it leads. */
    Optional<Candidate> leading() {
        State now = known();
        return now.first() ? Optional.ofNullable(now.own()) : Optional.empty();
    }

    @Override
    public boolean addListener(Runnable listener) {
        listeners.add(listener);
        return true;
    }

    @Override
    public void removeListener(Runnable listener) {
        listeners.remove(listener);
    }

    private void turn() {
        if (!closed.get()) {
            renewAndTell();
        }
        if (closed.get()) {
            giveBack();
        }
    }

    private void renewAndTell() {
        State before = state;
        try {
            renew();
            look();
            trouble = "";
        } catch (ClusterException failed) {
            String said = String.valueOf(failed.getMessage());
            boolean news = !said.equals(trouble);
            trouble = said;
            if (news && !closed.get()) {
                LOG.atWarn()
                        .addKeyValue("election", name)
                        .log("the lease is not renewed, which is tried again: {}", said);
            }
        } catch (RuntimeException | Error broken) {
            // Errors too, such as a thread that cannot start: an uncaught error would end the turns, and the process
            // would never lead again.
            trouble = broken.toString();
            LOG.atError()
                    .addKeyValue("election", name)
                    .setCause(broken)
                    .log("the election failed, which is tried again");
        }
        if (!closed.get()) {
            tellOf(before, state);
        }
    }

    /** Renews the lease, or gets a new lease and puts the key under it. */
    private void renew() {
        Lease leases = etcd.client().getLeaseClient();
        long asked = nanoTime.getAsLong();
        if (lease != 0) {
            long left;
            try {
                left = etcd.await("renew the lease of election " + name, leases.keepAliveOnce(lease))
                        .getTTL();
            } catch (ClusterException gone) {
                if (!String.valueOf(gone.getMessage()).contains("lease not found")) {
                    throw gone;
                }
                left = 0;
            }
            if (left > 0) {
                long until = asked + TimeUnit.SECONDS.toNanos(left);
                if (state.own() == null) {
                    takePart(until);
                } else {
                    state = new State(state.own(), state.oldest(), until);
                }
                return;
            }
            lease = 0;
            state = State.NONE;
            asked = nanoTime.getAsLong();
        }
        var granted = etcd.await("get a lease for election " + name, leases.grant(ttl.toSeconds()));
        lease = granted.getID();
        takePart(asked + TimeUnit.SECONDS.toNanos(granted.getTTL()));
    }

    /**
     * Puts the key under the lease. If that fails, the next turn does it again: the lease lives on, perhaps with the key, and no process
     * leads while that key is the oldest.
     */
    private void takePart(long until) {
        ByteSequence key = etcd.keys().ofCandidate(name, lease);
        long revision = etcd.await(
                        "take part in election " + name,
                        etcd.client()
                                .getKVClient()
                                .put(
                                        key,
                                        EtcdKeys.bytes(Long.toHexString(lease)),
                                        PutOption.builder().withLeaseId(lease).build()))
                .getHeader()
                .getRevision();
        state = new State(new Candidate(key, revision), 0, until);
    }

    /** Reads the oldest key, which is the leader's. The watch starts another turn as soon as a key is deleted. */
    private void look() {
        ByteSequence prefix = etcd.keys().ofElection(name);
        var answer = etcd.await(
                "look who leads in election " + name,
                etcd.client()
                        .getKVClient()
                        .get(
                                prefix,
                                GetOption.builder()
                                        .isPrefix(true)
                                        .withKeysOnly(true)
                                        .withSortField(GetOption.SortTarget.CREATE)
                                        .withSortOrder(GetOption.SortOrder.ASCEND)
                                        .withLimit(1)
                                        .build()));
        State now = state;
        KeyValue first = answer.getKvs().stream().findFirst().orElse(null);
        Candidate own = now.own();
        if (first != null && own != null && first.getKey().equals(own.key())) {
            // after a lost answer the client may have put the key twice
            own = new Candidate(own.key(), first.getCreateRevision());
        } else if (own != null && !isThere(own)) {
            // A person deleted it, and the lease lives on. The next turn puts it again.
            own = null;
        }
        state = new State(own, first == null ? 0 : first.getCreateRevision(), now.until());
        if (watcher == null) {
            WatchOption deletions = WatchOption.builder()
                    .isPrefix(true)
                    .withNoPut(true)
                    .withRevision(answer.getHeader().getRevision() + 1)
                    .build();
            watcher = etcd.client()
                    .getWatchClient()
                    .watch(prefix, deletions, changed -> soon(), failed -> watchEnded(), this::watchEnded);
            if (watcher.isClosed()) {
                // its client was replaced in this moment; the next turn opens another watch
                watcher = null;
            }
        }
    }

    private boolean isThere(Candidate own) {
        return !etcd.await(
                        "look for the key of this process in election " + name,
                        etcd.client()
                                .getKVClient()
                                .get(
                                        own.key(),
                                        GetOption.builder().withKeysOnly(true).build()))
                .getKvs()
                .isEmpty();
    }

    /**
     * The client does not go on with a watch that ended, for instance after a compaction. The next turn opens another one; not at once,
     * because etcd may refuse that one too.
     */
    private void watchEnded() {
        try {
            thread.execute(() -> {
                Watcher ended = watcher;
                watcher = null;
                if (ended != null) {
                    ended.close();
                }
            });
        } catch (RejectedExecutionException ended) {
            LOG.atTrace().addKeyValue("election", name).log("closed meanwhile");
        }
    }

    private void soon() {
        try {
            thread.execute(this::turn);
        } catch (RejectedExecutionException ended) {
            LOG.atTrace().addKeyValue("election", name).log("closed meanwhile");
        }
    }

    private void tellOf(State before, State after) {
        // After a late renewal: listeners may have seen no remaining time, and stopped.
        boolean sureAgain = left(before).isZero() && !left(after).isZero();
        if (before.first() == after.first() && before.oldest() == after.oldest() && !sureAgain) {
            return;
        }
        if (before.first() != after.first()) {
            LOG.atInfo()
                    .addKeyValue("election", name)
                    .addKeyValue("epoch", (after.first() ? after : before).oldest())
                    .log(after.first() ? "leads" : "leads no more");
        }
        for (Runnable listener : listeners) {
            try {
                listener.run();
            } catch (RuntimeException | Error broken) {
                LOG.atError().addKeyValue("election", name).setCause(broken).log("a listener failed");
            }
        }
    }

    /**
     * Stops leading at once and gives the lease back within at most five seconds; if etcd does not answer, the lease ends by itself.
     * Idempotent. A listener of this election may call it: then it returns at once, and the rest happens after the listener has
     * returned.
     */
    @Override
    public void close() {
        if (closed.getAndSet(true)) {
            return;
        }
        tellOf(state, State.NONE);
        CompletableFuture<Void> givenBack = CompletableFuture.runAsync(this::giveBack, thread);
        thread.shutdown();
        if (Thread.currentThread() == worker) {
            return;
        }
        // A host that ends its threads interrupts them. The lease is given back all the same.
        boolean interrupted = Thread.interrupted();
        try {
            givenBack.get(GIVE_BACK.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException again) {
            thread.shutdownNow();
            interrupted = true;
        } catch (TimeoutException | ExecutionException hangs) {
            // A turn that hangs is interrupted, and gives back what it can.
            thread.shutdownNow();
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Only on the thread. */
    private void giveBack() {
        Watcher open = watcher;
        if (open != null) {
            watcher = null;
            open.close();
        }
        if (lease != 0) {
            long own = lease;
            lease = 0;
            try {
                etcd.await(
                        "give back the lease of election " + name,
                        etcd.client().getLeaseClient().revoke(own));
            } catch (ClusterException unreached) {
                LOG.atDebug().addKeyValue("election", name).log("the lease ends by itself: {}", unreached.getMessage());
            }
        }
    }
}
