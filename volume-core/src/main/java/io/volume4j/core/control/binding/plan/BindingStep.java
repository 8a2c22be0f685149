package io.volume4j.core.control.binding.plan;

import io.volume4j.core.control.host.ClusterStep;
import io.volume4j.core.control.host.Conflicts;
import io.volume4j.core.engine.ConflictKey;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.plugin.Provisioner.ProvisionResult;
import java.util.List;

/** Steps of plugins for claims and volumes, and the storing of their results. */
public sealed interface BindingStep extends ClusterStep
        permits BindingStep.Provision,
                BindingStep.Save,
                BindingStep.DeleteUnsavedVolume,
                BindingStep.Delete,
                BindingStep.Recycle {
    /** The kinds of steps. */
    enum Kind {
        PROVISION,
        SAVE,
        DELETE_UNSAVED_VOLUME,
        DELETE,
        RECYCLE
    }

    @Override
    Kind kind();

    /**
     * The plugin creates the storage in the claim's intent, or finds the storage of an earlier attempt.
     *
     * @param repeated whether an earlier attempt may have had an effect
     */
    record Provision(ObjectKey claim, String claimUid, ProvisioningIntent intent, boolean repeated)
            implements BindingStep {
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
        public String retryKey() {
            return retryKey(intent);
        }

        /** Another class, other attributes or another node may succeed, so that call does not wait for the backoff of this one. */
        static String retryKey(ProvisioningIntent intent) {
            return String.join(
                    " ",
                    Kind.PROVISION.name(),
                    intent.storageClass().uid(),
                    intent.attributes().className(),
                    intent.nodeName());
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

    /** Stores the object of a volume that the plugin created. */
    record Save(ObjectKey claim, PersistentVolume volume) implements BindingStep {
        @Override
        public Kind kind() {
            return Kind.SAVE;
        }

        @Override
        public List<ConflictKey> conflictKeys() {
            return Conflicts.of(claim, volume);
        }

        @Override
        public String describe() {
            return "save volume " + volume.metadata().name();
        }
    }

    /** Deletes new storage whose object the cluster refuses to store. */
    record DeleteUnsavedVolume(ObjectKey claim, String claimUid, ProvisioningIntent intent, ProvisionResult made)
            implements BindingStep {
        @Override
        public Measured measured() {
            return new Measured(
                    intent.plugin(), "deleteUnsaved", intent.storageClass().name(), null);
        }

        @Override
        public Kind kind() {
            return Kind.DELETE_UNSAVED_VOLUME;
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
     * Deletes the storage of a released volume.
     *
     * @param claimGone whether the reason is that the volume's claim is gone; otherwise the claim has another volume
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
            return Conflicts.of(volume);
        }

        @Override
        public String describe() {
            return "delete the storage of volume " + volume.metadata().name() + " with " + plugin;
        }
    }

    /**
     * Empties the storage of a released volume.
     *
     * @param claimGone whether the reason is that the volume's claim is gone; otherwise the claim has another volume
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
            return Conflicts.of(volume);
        }

        @Override
        public String describe() {
            return "recycle volume " + volume.metadata().name() + " with " + plugin;
        }
    }
}
