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
     * Writes objects of the cluster, one after the other, each only if its object is still as it was; the first failure
     * ends it.
     *
     * @param purpose for people: {@code bind claim ns/c to volume v}
     * @param reserves the volume that no other claim may be given meanwhile, {@code ""} for none
     * @param towards the kind of step that the write prepares, whose backoff it shares, or {@link Kind#WRITE}
     * @param gain whether its success brings the object forward, so that it is worth forgetting earlier failures; a
     *     write that only reports or prepares does not
     */
    record Write(String purpose, List<ObjectWrite> writes, String reserves, Enum<?> towards, boolean gain)
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
                // The writes of one object follow each other in nearly every step.
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
        public String retryKey() {
            return towards.name();
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

    /** Asks the cluster to remove an object, for what it says at that revision, or whatever it says if that is {@code ""}. */
    record Remove(ObjectKey object, String uid, String revision) implements ClusterWork {
        /** Whatever the object says: its storage is gone. */
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
     * Reads an object from the store itself, because what follows must not rest on a cache that may be behind.
     *
     * @param uid of the object that is believed to be gone or changed, {@code ""} if only its name is known
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
     * Reads from the store who uses volumes, claims or classes, in one go for all whose end waits for that.
     *
     * @param object that is first to ask
     */
    record Look(ObjectKey object, At at) implements ClusterWork {
        /** What is read. */
        public enum At {
            /** Attachments and nodes: what a volume's deletion waits for. */
            NODES("attachments and nodes"),
            /** Pods: what a claim's end waits for. */
            PODS("pods"),
            /** Claims and volumes: what the end of a volume attributes class waits for. */
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

        /** One look at a time: a caller that comes while it is under way is served by the next look. */
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

    /** Stores a new object of the cluster; one of the name that is there already is looked at. */
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
     * Tells people; done once for each new thing to say about the object that is planned for.
     *
     * @param topic tells what several planners say about one object apart
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
