package io.volume4j.core.control.binding;

import io.volume4j.core.engine.ConflictKey;
import io.volume4j.core.engine.Step;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.host.EventSink.Event;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.StorageClass;
import io.volume4j.spi.model.VolumeAttributesClass;
import io.volume4j.spi.plugin.Provisioner.ProvisionResult;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What can be done about claims and volumes. */
public sealed interface BindingStep extends Step
        permits BindingStep.Write,
                BindingStep.Provision,
                BindingStep.Save,
                BindingStep.Unmake,
                BindingStep.Delete,
                BindingStep.Recycle,
                BindingStep.Remove,
                BindingStep.Verify,
                BindingStep.Look,
                BindingStep.Ask,
                BindingStep.Check,
                BindingStep.Create,
                BindingStep.Expand,
                BindingStep.Modify,
                BindingStep.Tell,
                ContentStep,
                PopulateStep {
    /** The kinds of steps. */
    enum Kind {
        WRITE,
        PROVISION,
        SAVE,
        UNMAKE,
        DELETE,
        RECYCLE,
        REMOVE,
        VERIFY,
        LOOK,
        CREATE,
        EXPAND,
        MODIFY,
        FILL,
        CLEAN_UP,
        ASK,
        CHECK,
        CUT,
        PROBE,
        DISCARD,
        TELL
    }

    @Override
    Kind kind();

    /** The intents of this reconciler are annotations, planned and written like everything else. */
    @Override
    default boolean needsIntent() {
        return false;
    }

    /**
     * Writes objects of the cluster, one after the other, each only if its object is still as it was; the first failure
     * ends it.
     *
     * @param purpose for people: {@code bind claim ns/c to volume v}
     * @param reserves the volume that no other claim may be given meanwhile, {@code ""} for none
     * @param towards the kind of step that the write prepares, whose backoff it shares, or WRITE
     * @param gain whether its success brings the object forward, so that it is worth forgetting earlier failures; a write
     *     that only reports or prepares does not
     */
    record Write(String purpose, List<ObjectWrite> writes, String reserves, Kind towards, boolean gain)
            implements BindingStep {
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

    /** Has the plugin make the storage that the claim's intent describes, or find what an earlier try made. */
    record Provision(ObjectKey claim, String claimUid, ProvisioningIntent intent) implements BindingStep {
        @Override
        public Kind kind() {
            return Kind.PROVISION;
        }

        @Override
        public List<ConflictKey> conflictKeys() {
            return List.of(Conflicts.object(claim), Conflicts.volume(intent.volumeName()));
        }

        @Override
        public String describe() {
            return "provision volume " + intent.volumeName() + " with " + intent.plugin();
        }
    }

    /** Stores the object of a volume that was made. */
    record Save(ObjectKey claim, PersistentVolume volume) implements BindingStep {
        @Override
        public Kind kind() {
            return Kind.SAVE;
        }

        @Override
        public List<ConflictKey> conflictKeys() {
            return List.of(
                    Conflicts.object(claim),
                    Conflicts.object(volume.key()),
                    Conflicts.volume(volume.metadata().name()));
        }

        @Override
        public String describe() {
            return "save volume " + volume.metadata().name();
        }
    }

    /** Destroys storage that was made and whose object the cluster refuses to store. */
    record Unmake(ObjectKey claim, String claimUid, ProvisioningIntent intent, ProvisionResult made)
            implements BindingStep {
        @Override
        public Kind kind() {
            return Kind.UNMAKE;
        }

        @Override
        public List<ConflictKey> conflictKeys() {
            return List.of(Conflicts.object(claim), Conflicts.volume(intent.volumeName()));
        }

        @Override
        public String describe() {
            return "remove the storage of volume " + intent.volumeName() + ", which could not be saved";
        }
    }

    /**
     * Destroys the storage of a released volume.
     *
     * @param claimGone whether this was decided because the volume's claim is gone; otherwise the claim has another volume
     */
    record Delete(PersistentVolume volume, String plugin, boolean claimGone) implements BindingStep {
        @Override
        public Kind kind() {
            return Kind.DELETE;
        }

        @Override
        public List<ConflictKey> conflictKeys() {
            return List.of(
                    Conflicts.object(volume.key()),
                    Conflicts.volume(volume.metadata().name()));
        }

        @Override
        public String describe() {
            return "delete the storage of volume " + volume.metadata().name() + " with " + plugin;
        }
    }

    /**
     * Empties the storage of a released volume.
     *
     * @param claimGone whether this was decided because the volume's claim is gone; otherwise the claim has another volume
     */
    record Recycle(PersistentVolume volume, String plugin, boolean claimGone) implements BindingStep {
        @Override
        public Kind kind() {
            return Kind.RECYCLE;
        }

        @Override
        public List<ConflictKey> conflictKeys() {
            return List.of(
                    Conflicts.object(volume.key()),
                    Conflicts.volume(volume.metadata().name()));
        }

        @Override
        public String describe() {
            return "recycle volume " + volume.metadata().name() + " with " + plugin;
        }
    }

    /** Asks the cluster to remove an object, for what it says at that revision, or whatever it says if that is {@code ""}. */
    record Remove(ObjectKey object, String uid, String revision) implements BindingStep {
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
    record Verify(ObjectKey object, String uid) implements BindingStep {
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
    record Look(ObjectKey object, At at) implements BindingStep {
        /** What is read. */
        public enum At {
            /** Attachments and nodes: what a volume's deletion waits for. */
            NODES,
            /** Pods: what a claim's end waits for. */
            PODS,
            /** Claims and volumes: what the end of a volume attributes class waits for. */
            CLAIMS
        }

        @Override
        public Kind kind() {
            return Kind.LOOK;
        }

        /** One look at a time: whoever comes while it is under way is served by the next one. */
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

    /** Asks a plugin what the pool of a segment has left for a class, for the object that tells it. */
    record Ask(ObjectKey object, StorageClass storageClass, String plugin, Map<String, String> segment)
            implements BindingStep {
        @Override
        public Kind kind() {
            return Kind.ASK;
        }

        @Override
        public List<ConflictKey> conflictKeys() {
            return List.of(Conflicts.object(object));
        }

        @Override
        public String describe() {
            return "ask " + plugin + " what class " + storageClass.metadata().name() + " has left at " + segment;
        }
    }

    /** Asks a plugin how a volume is. Nothing hangs on the answer, so nothing waits for it that is done to the volume. */
    record Check(ObjectKey volumeKey, String volumeUid, VolumeId id) implements BindingStep {
        @Override
        public Kind kind() {
            return Kind.CHECK;
        }

        @Override
        public List<ConflictKey> conflictKeys() {
            return List.of(ConflictKey.exclusive(ConflictKey.Scope.OBJECT, "health of " + volumeKey));
        }

        @Override
        public boolean progress() {
            return false;
        }

        @Override
        public String describe() {
            return "ask " + id.plugin() + " how volume " + volumeKey.name() + " is";
        }
    }

    /** Stores a new object of the cluster; one of the name that is there already is looked at. */
    record Create(ApiObject object) implements BindingStep {
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
     * Makes the storage of a claim's volume as large as the claim's status says that it is to be.
     *
     * @param epoch of the leader whose intent that is
     */
    record Expand(
            ObjectKey claim,
            String claimUid,
            PersistentVolume volume,
            String plugin,
            long newBytes,
            long oldBytes,
            long epoch)
            implements BindingStep {
        @Override
        public Kind kind() {
            return Kind.EXPAND;
        }

        @Override
        public List<ConflictKey> conflictKeys() {
            return List.of(
                    Conflicts.object(claim),
                    Conflicts.object(volume.key()),
                    Conflicts.volume(volume.metadata().name()));
        }

        @Override
        public boolean progress() {
            return false;
        }

        @Override
        public String describe() {
            return "expand volume " + volume.metadata().name() + " to " + newBytes + " bytes with " + plugin;
        }
    }

    /**
     * Gives a claim's volume the parameters of the volume attributes class that the claim's status names.
     *
     * @param epoch of the leader whose intent that is
     */
    record Modify(
            ObjectKey claim,
            String claimUid,
            PersistentVolume volume,
            String plugin,
            VolumeAttributesClass target,
            long epoch)
            implements BindingStep {
        @Override
        public Kind kind() {
            return Kind.MODIFY;
        }

        @Override
        public List<ConflictKey> conflictKeys() {
            return List.of(
                    Conflicts.object(claim),
                    Conflicts.object(volume.key()),
                    Conflicts.volume(volume.metadata().name()));
        }

        @Override
        public boolean progress() {
            return false;
        }

        @Override
        public String describe() {
            return "give volume " + volume.metadata().name() + " the attributes of class "
                    + target.metadata().name();
        }
    }

    /**
     * Tells people; done once for each new thing to say about the object that is planned for.
     *
     * @param topic tells what several planners say about one object apart
     */
    record Tell(ObjectKey about, String topic, List<Event> events) implements BindingStep {
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
