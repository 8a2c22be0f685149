package io.volume4j.core.lease;

import io.volume4j.core.engine.EventLoop;
import io.volume4j.core.explain.Health;
import io.volume4j.core.request.TimedRequests;
import io.volume4j.spi.host.ClusterException;
import io.volume4j.spi.host.ClusterException.Reason;
import io.volume4j.spi.host.ClusterSource;
import io.volume4j.spi.host.ClusterWriter;
import io.volume4j.spi.host.LeaderEpoch;
import io.volume4j.spi.host.Patch;
import io.volume4j.spi.host.Patch.FieldChange;
import io.volume4j.spi.host.Preconditions;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.Lease;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.ObjectMeta;
import io.volume4j.spi.model.Unmodeled;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One process of an election. Its state belongs to the loop. Calls to the cluster run on workers; the process waits for
 * each before it makes the next one. Any thread may use {@link #epoch}, {@link #remaining} and the listeners.
 *
 * <p>The process writes off a call that has no answer when its leadership would be over; see {@link TimedRequests}. A
 * late write is harmless: a patch names the revision that it changes, and a late creation fails if a Lease exists.
 *
 * <p>Leadership counts from the moment before a write was sent, because other processes cannot have seen the write
 * earlier. A write with a lost answer gives no leadership: the process reads the lease, and renews it if it is the
 * holder.
 */
final class LeaseAgent implements LeaderEpoch {
    private static final Logger LOG = LoggerFactory.getLogger(LeaseAgent.class);

    /** Leadership under an epoch, until a moment of the loop's time. */
    private record Held(long epoch, long until) {}

    private final ObjectKey key;
    private final String me;
    private final LeaseTimes times;
    private final ClusterSource source;
    private final ClusterWriter writer;
    private final EventLoop loop;
    private final TimedRequests requests;
    private final RandomGenerator random;
    private final List<Runnable> listeners = new CopyOnWriteArrayList<>();
    private volatile Held held = new Held(0, Long.MIN_VALUE);

    /** The lease as this process last stored it, null if another process or a lost answer may have changed it. */
    private @Nullable Lease mine;

    private String seen = "";
    private long seenAt;
    private long transitions;
    private boolean leading;
    private boolean started;
    private boolean answered;

    /** Why the lease cannot be read or renewed, with advice; empty if it can. */
    private String trouble = "";

    private boolean closed;
    private boolean calling;
    private @Nullable CompletableFuture<Void> givenBack;

    LeaseAgent(
            ObjectKey key,
            String me,
            LeaseTimes times,
            ClusterSource source,
            ClusterWriter writer,
            EventLoop loop,
            Executor workers,
            RandomGenerator random) {
        this.key = key;
        this.me = me;
        this.times = times;
        this.source = source;
        this.writer = writer;
        this.loop = loop;
        this.requests = new TimedRequests(loop, workers, times.leads());
        this.random = random;
    }

    @Override
    public long epoch() {
        return held.epoch();
    }

    @Override
    public Duration remaining() {
        Held now = held;
        return now.until() == Long.MIN_VALUE ? Duration.ZERO : Duration.ofNanos(now.until() - loop.nanoTime());
    }

    @Override
    public boolean addListener(Runnable listener) {
        listeners.add(listener);
        return true;
    }

    @Override
    public void removeListener(Runnable listener) {
        listeners.removeIf(added -> added == listener);
    }

    void start() {
        loop.execute(() -> {
            started = true;
            round();
        });
    }

    /** On the loop. */
    Health health() {
        boolean leads = leading && timeIsLeft();
        if (!started) {
            return Health.notReady(false, List.of("the election by " + key + " was not started"));
        }
        if (!trouble.isEmpty()) {
            return Health.notReady(leads, List.of(trouble));
        }
        if (!answered) {
            return Health.notReady(false, List.of(key + " was not read yet"));
        }
        if (leading && !leads) {
            return Health.notReady(false, List.of(key + " was not renewed in time"));
        }
        return leads ? Health.working() : Health.standingBy();
    }

    /**
     * Stops leading at once and releases the lease, so that another process need not wait until it expires. Completes
     * when the store has answered, also with a failure, or when the last call is written off. Idempotent.
     */
    CompletableFuture<Void> close() {
        CompletableFuture<Void> done = new CompletableFuture<>();
        loop.execute(() -> {
            if (givenBack == null) {
                givenBack = done;
                closed = true;
                cease("was closed");
                if (!calling) {
                    giveBack();
                }
            } else {
                var unused = givenBack.thenRun(() -> done.complete(null));
            }
        });
        return done;
    }

    private void round() {
        if (closed || calling) {
            return;
        }
        checkStillLeading();
        Lease known = mine;
        if (known == null) {
            call(() -> source.readLive(key).orElse(null), this::found, this::failed);
        } else {
            write(LeasePlanner.Action.RENEW, known);
        }
    }

    private void found(@Nullable ApiObject object) {
        Lease lease = object instanceof Lease read ? read : null;
        String version = lease == null
                ? ""
                : lease.metadata().uid() + "/" + lease.metadata().resourceVersion();
        if (!version.equals(seen)) {
            seen = version;
            seenAt = loop.nanoTime();
        }
        if (lease != null) {
            transitions = Math.max(transitions, lease.spec().leaseTransitions());
        }
        Duration unchanged = Duration.ofNanos(loop.nanoTime() - seenAt);
        LeasePlanner.Action action = LeasePlanner.plan(new LeaseView(lease, me, unchanged, times.lasts()));
        if (action == LeasePlanner.Action.STAND_BY) {
            recovered();
            cease("another process holds it");
            later();
        } else {
            write(action, lease);
        }
    }

    private void write(LeasePlanner.Action action, @Nullable Lease lease) {
        long sent = loop.nanoTime();
        Supplier<@Nullable ApiObject> body;
        if (lease == null) {
            Lease fresh = fresh();
            body = () -> writer.create(fresh);
        } else {
            Patch patch = patch(action, lease, Lease.timeText(loop.now()));
            body = () -> writer.patch(key, patch);
        }
        call(
                body,
                stored -> written((Lease) Objects.requireNonNull(stored, "the writer returned no object"), sent),
                this::failed);
    }

    private Lease fresh() {
        return new Lease(
                ObjectMeta.named(key.namespace(), key.name()),
                new Lease.Spec(me, times.lasts().toSeconds(), loop.now(), loop.now(), transitions + 1),
                Unmodeled.none());
    }

    private Patch patch(LeasePlanner.Action action, Lease lease, String now) {
        FieldChange renewed = FieldChange.set(now, "spec", "renewTime");
        List<FieldChange> changes = action == LeasePlanner.Action.RENEW
                ? List.of(renewed)
                : List.of(
                        FieldChange.set(me, "spec", "holderIdentity"),
                        FieldChange.set(times.lasts().toSeconds(), "spec", "leaseDurationSeconds"),
                        FieldChange.set(now, "spec", "acquireTime"),
                        FieldChange.set(lease.spec().leaseTransitions() + 1, "spec", "leaseTransitions"),
                        renewed);
        return new Patch(Preconditions.of(lease.metadata()), false, changes);
    }

    private void written(Lease stored, long sent) {
        mine = stored;
        transitions = Math.max(transitions, stored.spec().leaseTransitions());
        recovered();
        // After a late renewal, listeners may have seen that no time was left, and stopped.
        boolean gained =
                !leading || !timeIsLeft() || held.epoch() != stored.spec().leaseTransitions();
        held = new Held(stored.spec().leaseTransitions(), sent + times.leads().toNanos());
        leading = true;
        if (gained) {
            LOG.atInfo()
                    .addKeyValue("lease", key)
                    .addKeyValue("holder", me)
                    .addKeyValue("epoch", held.epoch())
                    .log("this process leads");
            tell();
        }
        later();
    }

    /**
     * After any failure, the process reads the store before the next write: a write without an answer may be stored.
     */
    private void failed(Throwable failure) {
        mine = null;
        boolean raced = failure instanceof ClusterException refused
                && (refused.reason() == Reason.CONFLICT || refused.reason() == Reason.ALREADY_EXISTS);
        boolean news = !raced && trouble.isEmpty();
        if (!raced) {
            String why = Objects.requireNonNullElse(failure.getMessage(), failure.toString());
            trouble = key + " cannot be read or renewed: " + why + "; " + advice(key, failure);
        }
        if (news) {
            LOG.atWarn()
                    .addKeyValue("lease", key)
                    .addKeyValue("error", failure.toString())
                    .addKeyValue("tryMillis", times.every().toMillis())
                    .addKeyValue("advice", advice(key, failure))
                    .log("the process cannot read or renew the lease; it tries again");
        }
        checkStillLeading();
        later();
    }

    /** What a user can do. A missing lease is created, so that the cluster finds nothing only where the namespace is missing. */
    static String advice(ObjectKey lease, Throwable failure) {
        Reason reason = failure instanceof ClusterException refused ? refused.reason() : Reason.UNAVAILABLE;
        return switch (reason) {
            case FORBIDDEN -> "allow get, create and patch of leases in namespace " + lease.namespace();
            case NOT_FOUND -> "create namespace " + lease.namespace() + " if it does not exist";
            case INVALID -> "correct the name of the lease or the identity of this process";
            case CONFLICT, ALREADY_EXISTS, UNAVAILABLE -> "look whether the cluster can be reached";
        };
    }

    private void recovered() {
        answered = true;
        if (!trouble.isEmpty()) {
            trouble = "";
            LOG.atInfo().addKeyValue("lease", key).log("the lease can be read and renewed again");
        }
    }

    private void checkStillLeading() {
        if (leading && !timeIsLeft()) {
            cease("it could not be renewed in time");
        }
    }

    private boolean timeIsLeft() {
        return held.until() - loop.nanoTime() > 0;
    }

    private void cease(String why) {
        mine = closed ? mine : null;
        if (leading) {
            leading = false;
            held = new Held(held.epoch(), Long.MIN_VALUE);
            LOG.atInfo()
                    .addKeyValue("lease", key)
                    .addKeyValue("holder", me)
                    .addKeyValue("epoch", held.epoch())
                    .addKeyValue("reason", why)
                    .log("this process no longer leads");
            tell();
        }
    }

    private void giveBack() {
        Lease known = mine;
        CompletableFuture<Void> done = Objects.requireNonNull(givenBack);
        if (known == null) {
            done.complete(null);
            return;
        }
        Patch patch = new Patch(
                Preconditions.of(known.metadata()), false, List.of(FieldChange.set("", "spec", "holderIdentity")));
        requests.send(() -> writer.patch(key, patch), (stored, failure) -> {
            if (failure != null) {
                LOG.atWarn()
                        .addKeyValue("lease", key)
                        .addKeyValue("error", failure.toString())
                        .addKeyValue("lastsSeconds", times.lasts().toSeconds())
                        .log("the process could not release the lease; the lease expires");
            }
            done.complete(null);
        });
    }

    /** Adds a random part, so that processes that stand by do not all query at the same moment. */
    private void later() {
        long every = times.every().toNanos();
        long delay = every - random.nextLong(every / 5 + 1);
        loop.schedule(Duration.ofNanos(delay), this::round);
    }

    private void call(
            Supplier<@Nullable ApiObject> body, Consumer<@Nullable ApiObject> success, Consumer<Throwable> failure) {
        calling = true;
        requests.send(body, (answer, failed) -> {
            calling = false;
            if (closed) {
                mine = answer instanceof Lease lease
                                && lease.spec().holderIdentity().equals(me)
                        ? lease
                        : null;
                giveBack();
            } else if (failed == null) {
                take(answer, success, failure);
            } else {
                failure.accept(failed);
            }
        });
    }

    /** The adapter of a host may return null, or an object of another kind. Without another round the process would never lead again. */
    private static void take(
            @Nullable ApiObject answer, Consumer<@Nullable ApiObject> success, Consumer<Throwable> failure) {
        try {
            success.accept(answer);
        } catch (Throwable unusable) {
            failure.accept(unusable);
        }
    }

    private void tell() {
        for (Runnable listener : listeners) {
            try {
                listener.run();
            } catch (Throwable failure) {
                LOG.atWarn()
                        .addKeyValue("lease", key)
                        .addKeyValue("error", failure.toString())
                        .log("a listener of the lease failed");
            }
        }
    }
}
