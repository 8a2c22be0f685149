package io.volume4j.core.node.desired;

import io.volume4j.core.engine.Backoff;
import io.volume4j.core.engine.Call;
import io.volume4j.core.engine.EventLoop;
import io.volume4j.core.engine.Outcome;
import io.volume4j.core.engine.Questions;
import io.volume4j.core.node.desired.ResolvedPod.Problem;
import io.volume4j.core.objects.ObjectCache;
import io.volume4j.core.tables.DenseMap;
import io.volume4j.spi.FailureKind;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.host.ClusterException;
import io.volume4j.spi.host.ClusterSource;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.PersistentVolumeClaim;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiPredicate;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the claims of new pods from the store. A pod names its claims. Pods and claims come from two watches, and
 * either may lag: if a user deletes a claim and creates a new one under its name, the watch may still show the old
 * one. So a pod gets the volume of a claim only if a read after the pod's arrival finds the same claim UID in the
 * store.
 *
 * <p>The node reads each claim of each pod once, just before the pod first wants the volume. A mount that the pod has,
 * or a use that was resolved before, stays valid: after a restart, the node reads no claims for existing mounts. A
 * failed read is repeated after a pause. At most {@value #CALLS} reads run at a time; the others wait. Loop thread
 * only.
 */
public final class ClaimReads implements PodResolver.ClaimOfPod {
    private static final Logger LOG = LoggerFactory.getLogger(ClaimReads.class);

    private static final String LANE = "cluster reads";
    private static final int CALLS = 16;
    private static final Duration DEADLINE = Duration.ofSeconds(30);

    /** The use of a claim by a pod. */
    public record Use(String podUid, ObjectKey claim) {}

    /** A read that waits, is under way or has an answer. */
    private static final class Read {
        private final Use use;
        /** The claim's UID in the watch. */
        private String known = "";
        /** The claim's UID in the store; null before the answer, {@code ""} if the store has no such claim. */
        private @Nullable String stored;
        /** The claim's UID in the watch at the time of the answer. */
        private String seen = "";

        private boolean open;
        private int failures;
        private String trouble = "";

        Read(Use use) {
            this.use = use;
        }
    }

    private final EventLoop loop;
    private final ClusterSource source;
    private final ObjectCache objects;
    private final Backoff backoff;
    private final RandomGenerator random;
    private final Questions<Use> questions;
    private final BiPredicate<String, VolumeId> given;
    private final Map<String, Map<ObjectKey, Read>> reads = new DenseMap<>();
    private final Deque<Read> waiting = new ArrayDeque<>();
    private Consumer<Use> answered = use -> {};
    private int running;
    /** Guards against recursion: a read that is refused at once ends while others are being started. */
    private boolean starting;
    /** Whether the last read failed. An outage causes one log line. */
    private boolean failing;

    private boolean closed;

    /** @param given whether the pod has the volume here, or its use was resolved before */
    public ClaimReads(
            EventLoop loop,
            ClusterSource source,
            ObjectCache objects,
            Backoff backoff,
            RandomGenerator random,
            Questions<Use> questions,
            BiPredicate<String, VolumeId> given) {
        this.loop = loop;
        this.source = source;
        this.objects = objects;
        this.backoff = backoff;
        this.random = random;
        this.questions = questions;
        this.given = given;
    }

    /** Sets the listener. It is called on the loop for each use whose claim was read, or could not be read. */
    void listener(Consumer<Use> listener) {
        answered = listener;
    }

    @Override
    public @Nullable Problem doubt(String podUid, PersistentVolumeClaim claim, VolumeId volume) {
        if (given.test(podUid, volume)) {
            return null;
        }
        Read read = read(podUid, claim.key());
        if (read != null && claim.metadata().uid().equals(read.stored)) {
            return null;
        }
        String shown = "claim " + claim.key().namespace() + "/" + claim.key().name();
        return new Problem(
                read == null || read.trouble.isEmpty()
                        ? shown + " is being read from the cluster for this pod"
                        : shown + " could not be read from the cluster for this pod: " + read.trouble
                                + "; it is read again after a pause",
                false,
                claim.key());
    }

    @Override
    public boolean given(String podUid, VolumeId volume) {
        return given.test(podUid, volume);
    }

    /** Whether every requested claim has been read. */
    public boolean idle() {
        return running == 0 && waiting.isEmpty();
    }

    /** Reads the claim for the pod, unless that read is under way. */
    void ask(String podUid, ObjectKey claim) {
        Read read = reads.computeIfAbsent(podUid, uid -> new DenseMap<>(1))
                .computeIfAbsent(claim, key -> new Read(new Use(podUid, key)));
        if (read.open || closed) {
            return;
        }
        read.open = true;
        boolean changed = read.stored == null || !known(claim).equals(read.seen);
        if (changed || read.failures == 0) {
            read.failures = changed ? 0 : 1;
            enqueue(read);
        } else {
            failed(read, "the store answers with another claim of this name than its watch shows");
        }
    }

    private String known(ObjectKey claim) {
        return objects.get(claim).map(found -> found.metadata().uid()).orElse("");
    }

    /** The pod has all its volumes, or is deleted. */
    void forget(String podUid) {
        reads.remove(podUid);
    }

    /** Stops all reads. */
    public void close() {
        closed = true;
        reads.clear();
        waiting.clear();
    }

    private @Nullable Read read(String podUid, ObjectKey claim) {
        Map<ObjectKey, Read> ofPod = reads.get(podUid);
        return ofPod == null ? null : ofPod.get(claim);
    }

    private boolean wanted(Read read) {
        return read(read.use.podUid(), read.use.claim()) == read;
    }

    private void enqueue(Read read) {
        read.stored = null;
        waiting.add(read);
        startWhatMay();
    }

    private void startWhatMay() {
        if (starting) {
            return;
        }
        starting = true;
        try {
            while (running < CALLS && !waiting.isEmpty()) {
                Read next = waiting.remove();
                if (wanted(next)) {
                    start(next);
                }
            }
        } finally {
            starting = false;
        }
    }

    private void start(Read read) {
        running++;
        ObjectKey claim = read.use.claim();
        read.known = known(claim);
        questions.ask(read.use, "", () -> new Call(LANE, CALLS, DEADLINE, context -> live(claim)), outcome -> {
            running--;
            if (!closed) {
                take(read, outcome);
                startWhatMay();
            }
        });
    }

    private Optional<ApiObject> live(ObjectKey claim) {
        try {
            return source.readLive(claim);
        } catch (ClusterException failure) {
            throw VolumeException.transientFailure(String.valueOf(failure.getMessage()))
                    .withCause(failure);
        }
    }

    private void take(Read read, Outcome outcome) {
        if (!wanted(read)) {
            return;
        }
        if (!outcome.succeeded()) {
            failed(read, String.valueOf(outcome.requireFailure().getMessage()));
            return;
        }
        failing = false;
        read.open = false;
        read.trouble = "";
        Optional<?> live = outcome.requireValue(Optional.class);
        read.stored = "";
        live.map(ApiObject.class::cast)
                .ifPresentOrElse(
                        found -> {
                            read.stored = found.metadata().uid();
                            objects.applyOwnWrite(found);
                        },
                        () -> objects.applyAbsent(read.use.claim(), read.known));
        read.seen = known(read.use.claim());
        answered.accept(read.use);
    }

    private void failed(Read read, String why) {
        if (!failing) {
            failing = true;
            LOG.atWarn()
                    .addKeyValue("claim", read.use.claim())
                    .addKeyValue("pod", read.use.podUid())
                    .addKeyValue("error", why)
                    .log("a claim could not be read; its pod waits, and the claim is read again");
        }
        read.trouble = why;
        read.failures++;
        loop.schedule(backoff.delay(read.failures, FailureKind.TRANSIENT, random), () -> {
            if (wanted(read)) {
                enqueue(read);
            }
        });
        answered.accept(read.use);
    }
}
