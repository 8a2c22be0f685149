package io.volume4j.core.control.host;

import io.volume4j.core.engine.ConflictKey;
import io.volume4j.spi.host.EventSink.Event;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.ObjectKey;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The steps that all features share: the host's reads and writes of the cluster, and its events. */
public sealed interface ClusterWork extends ClusterStep
        permits ClusterWork.Write,
                ClusterWork.Remove,
                ClusterWork.Verify,
                ClusterWork.Look,
                ClusterWork.Create,
                ClusterWork.Tell {
    /** The kinds of steps. */
    enum Kind {
        WRITE,
        REMOVE,
        VERIFY,
        LOOK,
        CREATE,
        TELL
    }

    @Override
    Kind kind();

    /**
     * Writes objects of the cluster, one after the other, each only if its object has not changed. The first failure ends the step.
     *
     * @param purpose for users: {@code bind claim ns/c to volume v}
     * @param reserves the volume that no other claim may get meanwhile, {@code ""} for none
     * @param retryKey that of the step that the write prepares and whose backoff it shares, or the name of {@link Kind#WRITE}
     * @param gain whether a success is progress for the object, so that earlier failures no longer count; false for a write that
     *     only reports or prepares
     */
    record Write(String purpose, List<ObjectWrite> writes, String reserves, String retryKey, boolean gain)
            implements ClusterWork {
        public Write {
            writes = List.copyOf(writes);
            if (writes.isEmpty()) {
                throw new IllegalArgumentException("nothing to write: " + purpose);
            }
        }

        @Override
        public Kind kind() {
            return Kind.WRITE;
        }

        @Override
        public List<ConflictKey> conflictKeys() {
            List<ConflictKey> keys = new ArrayList<>(2);
            @Nullable ObjectKey last = null;
            for (ObjectWrite write : writes) {
                // Writes of one object are neighbours in nearly every step.
                if (!write.key().equals(last)) {
                    last = write.key();
                    ConflictKey key = Conflicts.object(last);
                    if (!keys.contains(key)) {
                        keys.add(key);
                    }
                }
            }
            return keys;
        }

        @Override
        public boolean progress() {
            return gain;
        }

        @Override
        public String describe() {
            return purpose;
        }
    }

    /** Asks the cluster to remove an object, only at that revision, or at any revision if that is {@code ""}. */
    record Remove(ObjectKey object, String uid, String revision) implements ClusterWork {
        /** Removes the object at any revision, because its storage is gone. */
        public Remove(ObjectKey object, String uid) {
            this(object, uid, "");
        }

        public static Remove asSeen(ApiObject seen) {
            return new Remove(seen.key(), seen.metadata().uid(), seen.metadata().resourceVersion());
        }

        @Override
        public Kind kind() {
            return Kind.REMOVE;
        }

        @Override
        public List<ConflictKey> conflictKeys() {
            return List.of(Conflicts.object(object));
        }

        @Override
        public String describe() {
            return "delete object " + object;
        }
    }

    /**
     * Reads an object from the store itself, because the next decision must not depend on a cache that may be behind.
     *
     * @param uid of the object that may be gone or changed, {@code ""} if only its name is known
     */
    record Verify(ObjectKey object, String uid) implements ClusterWork {
        @Override
        public Kind kind() {
            return Kind.VERIFY;
        }

        @Override
        public List<ConflictKey> conflictKeys() {
            return List.of(Conflicts.object(object));
        }

        @Override
        public boolean progress() {
            return false;
        }

        @Override
        public String describe() {
            return "read " + object + " from the store";
        }
    }

    /**
     * Reads the users of volumes, claims or classes from the store. One read serves all objects that wait for it.
     *
     * @param object the first object that asks
     */
    record Look(ObjectKey object, At at) implements ClusterWork {
        /** The kinds of reads. */
        public enum At {
            /** Attachments and nodes: the deletion of a volume needs them. */
            NODES("attachments and nodes"),
            /** Pods: the end of a claim needs them. */
            PODS("pods"),
            /** Claims and volumes: the end of a volume attributes class needs them. */
            CLAIMS("claims and volumes");

            private final String words;

            At(String words) {
                this.words = words;
            }

            /** The objects that are read, for people. */
            String words() {
                return words;
            }
        }

        @Override
        public Kind kind() {
            return Kind.LOOK;
        }

        /** One read at a time: an object that asks during a read gets the result of the next one. */
        @Override
        public List<ConflictKey> conflictKeys() {
            return List.of(Conflicts.object(object), ConflictKey.exclusive(ConflictKey.Scope.OBJECT, "look at " + at));
        }

        @Override
        public String retryKey() {
            return kind().name() + " " + at;
        }

        @Override
        public boolean progress() {
            return false;
        }

        @Override
        public String describe() {
            return "read from the store whether " + object + " is in use";
        }
    }

    /** Stores a new object of the cluster. If an object with its name exists, the step reads that object. */
    record Create(ApiObject object) implements ClusterWork {
        @Override
        public Kind kind() {
            return Kind.CREATE;
        }

        @Override
        public List<ConflictKey> conflictKeys() {
            return List.of(Conflicts.object(object.key()));
        }

        @Override
        public String retryKey() {
            return kind().name() + " " + object.metadata().name();
        }

        @Override
        public String describe() {
            return "create " + object.key();
        }
    }

    /**
     * Sends events about the planned object, once for each new state.
     *
     * @param topic separates the events of several planners about one object
     */
    record Tell(ObjectKey about, String topic, List<Event> events) implements ClusterWork {
        public Tell(ObjectKey about, List<Event> events) {
            this(about, "", events);
        }

        public Tell {
            events = Collections.unmodifiableList(new ArrayList<>(events));
        }

        @Override
        public Kind kind() {
            return Kind.TELL;
        }

        @Override
        public List<ConflictKey> conflictKeys() {
            return List.of();
        }

        @Override
        public boolean internal() {
            return true;
        }

        @Override
        public String describe() {
            return "tell: " + events.get(0).reason() + ": " + events.get(0).message();
        }
    }
}
