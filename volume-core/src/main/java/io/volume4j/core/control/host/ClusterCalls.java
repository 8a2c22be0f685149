package io.volume4j.core.control.host;

import io.volume4j.core.objects.ObjectCache;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.host.ClusterException;
import io.volume4j.spi.host.ClusterException.Reason;
import io.volume4j.spi.host.ClusterSource;
import io.volume4j.spi.host.ClusterWriter;
import io.volume4j.spi.host.Preconditions;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.ObjectReference;
import io.volume4j.spi.model.PersistentVolume;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Calls to the cluster, on worker threads. A call passes the store's answer on before it ends, so that the next
 * decision of the loop uses it.
 */
public final class ClusterCalls {
    /** The result of a write that did not fail. */
    public enum Written {
        DONE,
        /** Another writer changed an object first. Its current state is in the cache now, so the planner can plan again. */
        STALE
    }

    /**
     * The result of a read from the store.
     * @param uid the UID of the missing object if there is none; {@code ""} if only its name is known, because
     *     another object may have the name by now
     */
    public record Seen(ObjectKey key, String uid, @Nullable ApiObject object) {
        /** Applies the result to the cache. Call it on the loop. */
        public void into(ObjectCache cache) {
            if (object != null) {
                cache.applyOwnWrite(object);
            } else {
                cache.seenAbsent(key, uid);
            }
        }
    }

    /** Kubernetes answers a new object beyond a quota, or in a namespace that is being deleted, as it answers a missing permission. */
    private static final String OF_A_NAMESPACE =
            ", unless the message names a quota or says that the namespace is being terminated";

    private final ClusterSource source;
    private final ClusterWriter writer;
    private final InstantSource clock;
    private final Consumer<List<Seen>> seen;

    /**
     * @param clock the wall clock, for times in writes
     * @param seen takes the store's answers; called on the worker, once for each call
     */
    public ClusterCalls(ClusterSource source, ClusterWriter writer, InstantSource clock, Consumer<List<Seen>> seen) {
        this.source = source;
        this.writer = new AnsweringWriter(writer);
        this.clock = clock;
        this.seen = seen;
    }

    /**
     * Executes the writes one after another. Fails if the cluster accepts them all and keeps none: the planner would plan the same
     * writes again at once, and for ever.
     *
     * @param patient whether a conflict with another writer returns {@link Written#STALE}; otherwise it is a failure
     */
    public Written write(ClusterWork.Write step, boolean patient) {
        Answers answers = new Answers();
        boolean kept = false;
        try {
            for (ObjectWrite write : step.writes()) {
                String revision = answers.revision(write.key(), write.revision());
                try {
                    ApiObject stored =
                            writer.patch(write.key(), write.at(clock.instant()).against(revision));
                    answers.add(write.key(), write.uid(), stored);
                    kept |= revision.isEmpty()
                            || !revision.equals(stored.metadata().resourceVersion());
                } catch (ClusterException failure) {
                    if (failure.reason() != Reason.CONFLICT && failure.reason() != Reason.NOT_FOUND) {
                        throw failure;
                    }
                    answers.add(
                            write.key(),
                            write.uid(),
                            source.readLive(write.key()).orElse(null));
                    if (!patient) {
                        throw failure;
                    }
                    return Written.STALE;
                }
            }
            if (!kept && !UnkeptWrites.mayChangeNothing(step)) {
                throw UnkeptWrites.failure(step);
            }
            return Written.DONE;
        } catch (ClusterException failure) {
            String kinds = step.writes().stream()
                    .map(write -> write.key().kind().apiName())
                    .distinct()
                    .collect(Collectors.joining(" and "));
            throw classified(
                    step.describe(),
                    failure,
                    "get and patch " + kinds + " objects"
                            + (step.writes().stream().anyMatch(ObjectWrite::status) ? " and their status" : ""));
        } finally {
            answers.handOn();
        }
    }

    /** Stores the volume. An existing volume of the same claim comes from an earlier attempt and counts as success. */
    public PersistentVolume save(PersistentVolume volume) {
        Answers answers = new Answers();
        try {
            ApiObject stored = create(volume);
            answers.add(volume.key(), "", stored);
            if (stored instanceof PersistentVolume saved && sameClaim(saved, volume)) {
                return saved;
            }
            throw VolumeException.finalFailure(
                    "cannot save volume " + volume.metadata().name() + ": another volume has the name");
        } catch (ClusterException failure) {
            throw classified(
                    "save volume " + volume.metadata().name(), failure, needs("get and create", volume.kind()));
        } finally {
            answers.handOn();
        }
    }

    /**
     * Stores a new object. If an object with this name exists, passes it on; the next plan decides whether it is
     * usable.
     */
    public void make(ApiObject object) {
        Answers answers = new Answers();
        try {
            answers.add(object.key(), "", create(object));
        } catch (ClusterException failure) {
            String needs =
                    needs("get and create", object.kind()) + (object.kind().namespaced() ? OF_A_NAMESPACE : "");
            throw classified("create " + object.key(), failure, needs);
        } finally {
            answers.handOn();
        }
    }

    /**
     * Requests deletion and reads the result: an object with finalizers still exists, and so does one that has
     * changed.
     */
    public void remove(ObjectKey key, String uid, String revision) {
        Answers answers = new Answers();
        try {
            try {
                writer.delete(key, new Preconditions(uid, revision));
            } catch (ClusterException failure) {
                if (failure.reason() != Reason.NOT_FOUND && failure.reason() != Reason.CONFLICT) {
                    throw failure;
                }
            }
            answers.add(key, uid, source.readLive(key).orElse(null));
        } catch (ClusterException failure) {
            throw classified("delete " + key, failure, needs("get and delete", key.kind()));
        } finally {
            answers.handOn();
        }
    }

    /** Reads the object from the store; the object is null if it does not exist. */
    public Seen read(ObjectKey key, String uid) {
        Answers answers = new Answers();
        try {
            Seen found = new Seen(key, uid, source.readLive(key).orElse(null));
            answers.add(key, uid, found.object());
            return found;
        } catch (ClusterException failure) {
            throw classified("read " + key, failure, needs("get", key.kind()));
        } finally {
            answers.handOn();
        }
    }

    private ApiObject create(ApiObject object) {
        try {
            return writer.create(object);
        } catch (ClusterException failure) {
            Optional<ApiObject> existing =
                    failure.reason() == Reason.ALREADY_EXISTS ? source.readLive(object.key()) : Optional.empty();
            return existing.orElseThrow(() -> failure);
        }
    }

    private static boolean sameClaim(PersistentVolume stored, PersistentVolume wanted) {
        return Objects.equals(uid(stored.spec().claimRef()), uid(wanted.spec().claimRef()));
    }

    private static String uid(@Nullable ObjectReference reference) {
        return reference == null ? "" : reference.uid();
    }

    /**
     * Classifies a failure of the cluster. Preconditions guard all writes, so a repetition after a lost answer is
     * safe: no failure is uncertain.
     *
     * @param needs what the controller must be permitted to do, for users; see {@link #needs}
     */
    public static VolumeException classified(String what, ClusterException failure, String needs) {
        String message = "cannot " + what + ": " + failure.getMessage();
        VolumeException classified = switch (failure.reason()) {
            case INVALID -> VolumeException.finalFailure(message);
            case FORBIDDEN -> VolumeException.finalFailure(message).withAdvice("permit the controller to " + needs);
            case CONFLICT, NOT_FOUND, ALREADY_EXISTS, UNAVAILABLE -> VolumeException.transientFailure(message);
        };
        return classified.withCause(failure);
    }

    /** @param verbs as permissions name them: {@code get and delete} */
    public static String needs(String verbs, Kind kind) {
        return verbs + " " + kind.apiName() + " objects";
    }

    private final class Answers {
        private final List<Seen> all = new ArrayList<>(2);

        /** Of several states of one object only the last one is useful for the cache. */
        void add(ObjectKey key, String uid, @Nullable ApiObject object) {
            int last = all.size() - 1;
            if (last >= 0 && all.get(last).key().equals(key)) {
                all.remove(last);
            }
            all.add(new Seen(key, uid, object));
        }

        /** The revision in the last answer about the object, or the given revision if there is no answer. */
        String revision(ObjectKey key, String otherwise) {
            for (int i = all.size() - 1; i >= 0; i--) {
                @Nullable ApiObject object = all.get(i).object();
                if (object != null && all.get(i).key().equals(key)) {
                    return object.metadata().resourceVersion();
                }
            }
            return otherwise;
        }

        void handOn() {
            if (!all.isEmpty()) {
                seen.accept(all);
            }
        }
    }
}
