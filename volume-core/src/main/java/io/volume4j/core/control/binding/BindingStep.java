package io.volume4j.core.control.binding;

import io.volume4j.core.control.host.ClusterStep;
import io.volume4j.core.control.host.Conflicts;
import io.volume4j.core.engine.ConflictKey;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.StorageClass;
import io.volume4j.spi.model.VolumeAttributesClass;
import io.volume4j.spi.plugin.Provisioner.ProvisionResult;
import java.util.List;
import java.util.Map;

/** What plugins do for claims, volumes and snapshots. */
public sealed interface BindingStep extends ClusterStep
        permits BindingStep.Provision,
                BindingStep.Save,
                BindingStep.Unmake,
                BindingStep.Delete,
                BindingStep.Recycle,
                BindingStep.Ask,
                BindingStep.Expand,
                BindingStep.Modify,
                ContentStep,
                PopulateStep {
    /** The kinds of steps. */
    enum Kind {
        PROVISION,
        SAVE,
        UNMAKE,
        DELETE,
        RECYCLE,
        EXPAND,
        MODIFY,
        FILL,
        CLEAN_UP,
        ASK,
        CUT,
        PROBE,
        DISCARD
    }

    @Override
    Kind kind();

    /** Has the plugin make the storage that the claim's intent describes, or find what an earlier try made. */
    record Provision(ObjectKey claim, String claimUid, ProvisioningIntent intent) implements BindingStep {
        @Override
        public Measured measured() {
            return new Measured(
                    intent.plugin(), "provision", intent.storageClass().name(), null);
        }

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
        public Measured measured() {
            return new Measured(intent.plugin(), "unmake", intent.storageClass().name(), null);
        }

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
        public Measured measured() {
            return new Measured(plugin, "delete", "", volume.spec().source());
        }

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
        public Measured measured() {
            return new Measured(plugin, "recycle", "", volume.spec().source());
        }

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
        public Measured measured() {
            return new Measured(plugin, "expand", "", volume.spec().source());
        }

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
        public Measured measured() {
            return new Measured(plugin, "modify", "", volume.spec().source());
        }

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
}
