package io.volume4j.core.control.run;

import io.volume4j.core.control.ephemeral.EphemeralPlanner;
import io.volume4j.core.control.expand.ModifyPlanner;
import io.volume4j.core.control.host.ReferenceIndex;
import io.volume4j.core.control.host.VolumeUse;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.Node;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.PersistentVolumeClaim;
import io.volume4j.spi.model.Pod;
import io.volume4j.spi.model.PodVolume;
import io.volume4j.spi.model.Quantity;
import io.volume4j.spi.model.VolumeAttachment;
import io.volume4j.spi.model.WellKnown;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Which objects name which others, kept up with every change of the cache, so that no question needs a scan. */
final class ObjectIndexes {
    /** Claims by the volume that they name. */
    final ReferenceIndex<String, ObjectKey> claimsByVolume = new ReferenceIndex<>();

    /** Claims without a volume, by the class that they name. */
    final ReferenceIndex<String, ObjectKey> unboundByClass = new ReferenceIndex<>();

    /** Claims without a volume, by the node that was chosen for their first pod. */
    final ReferenceIndex<String, ObjectKey> unboundByNode = new ReferenceIndex<>();

    final ReferenceIndex<ObjectKey, ObjectKey> podsByClaim = new ReferenceIndex<>();

    final ReferenceIndex<String, ObjectKey> attachmentsByVolume = new ReferenceIndex<>();

    /** Nodes by the volumes that they or the control plane report there, see {@link VolumeUse#reported}. */
    final ReferenceIndex<String, ObjectKey> nodesByVolume = new ReferenceIndex<>();

    /** Volumes by what those in one storage have in common, see {@link Storage#keys}. */
    final ReferenceIndex<String, ObjectKey> volumesByStorage = new ReferenceIndex<>();

    /** Claims and volumes by the volume attributes classes that they name. */
    final ReferenceIndex<String, ObjectKey> byAttributesClass = new ReferenceIndex<>();

    /** Claims by the UID of the pod that they belong to. */
    final ReferenceIndex<String, ObjectKey> claimsByOwner = new ReferenceIndex<>();

    /** Claims that ask for more than they have, by class. */
    final ReferenceIndex<String, ObjectKey> growingByClass = new ReferenceIndex<>();

    /** Under which {@link #unboundByClass} keeps claims that say nothing about a class; no class has such a name. */
    static final String NO_CLASS_SAID = "\0";

    private final boolean forTasks;

    /**
     * @param forTasks whether to keep what only expansion, protection and pods' claims ask for
     */
    ObjectIndexes(boolean forTasks) {
        this.forTasks = forTasks;
    }

    void changed(@Nullable ApiObject before, @Nullable ApiObject after, ObjectKey key) {
        switch (key.kind()) {
            case PERSISTENT_VOLUME_CLAIM -> {
                claimsByVolume.move(key, volumeOf(before), volumeOf(after));
                unboundByClass.move(key, classOf(before), classOf(after));
                unboundByNode.move(key, nodeOf(before), nodeOf(after));
                if (forTasks) {
                    byAttributesClass.move(key, attributesClassesOf(before), attributesClassesOf(after));
                    claimsByOwner.move(key, ownerOf(before), ownerOf(after));
                    growingByClass.move(key, growing(before), growing(after));
                }
            }
            case PERSISTENT_VOLUME -> {
                volumesByStorage.move(key, Storage.keys(before), Storage.keys(after));
                if (forTasks) {
                    byAttributesClass.move(key, attributesClassesOf(before), attributesClassesOf(after));
                }
            }
            case POD -> podsByClaim.move(key, claimsOf(before), claimsOf(after));
            case VOLUME_ATTACHMENT -> attachmentsByVolume.move(key, attached(before), attached(after));
            case NODE -> nodesByVolume.move(key, reported(before), reported(after));
            default -> {
                // name nothing that is looked up this way
            }
        }
    }

    static boolean unbound(PersistentVolumeClaim claim) {
        return claim.spec().volumeName().isEmpty()
                && !claim.metadata().annotations().containsKey(WellKnown.BIND_COMPLETED);
    }

    /** The claims that the pod's volumes are of, those that are made for the pod included. */
    static Set<ObjectKey> claimsOf(@Nullable ApiObject object) {
        if (!(object instanceof Pod pod)) {
            return Set.of();
        }
        Set<ObjectKey> claims = new LinkedHashSet<>();
        String namespace = pod.metadata().namespace();
        for (PodVolume volume : pod.spec().volumes()) {
            String name = VolumeUse.claimName(pod, volume);
            if (!name.isEmpty()) {
                claims.add(ObjectKey.claim(namespace, name));
            }
        }
        return claims;
    }

    private static Set<String> volumeOf(@Nullable ApiObject object) {
        return object instanceof PersistentVolumeClaim claim
                        && !claim.spec().volumeName().isEmpty()
                ? Set.of(claim.spec().volumeName())
                : Set.of();
    }

    private static Set<String> classOf(@Nullable ApiObject object) {
        if (!(object instanceof PersistentVolumeClaim claim) || !unbound(claim)) {
            return Set.of();
        }
        return Set.of(claim.classUnset() ? NO_CLASS_SAID : claim.className());
    }

    private static Set<String> nodeOf(@Nullable ApiObject object) {
        if (!(object instanceof PersistentVolumeClaim claim) || !unbound(claim)) {
            return Set.of();
        }
        String node = claim.metadata().annotation(WellKnown.SELECTED_NODE);
        return node.isEmpty() ? Set.of() : Set.of(node);
    }

    private static Set<String> reported(@Nullable ApiObject object) {
        return object instanceof Node node ? VolumeUse.reported(node) : Set.of();
    }

    private static Set<String> attached(@Nullable ApiObject object) {
        return object instanceof VolumeAttachment attachment
                        && !attachment.spec().persistentVolumeName().isEmpty()
                ? Set.of(attachment.spec().persistentVolumeName())
                : Set.of();
    }

    static Set<String> attributesClassesOf(@Nullable ApiObject object) {
        Set<String> names = new LinkedHashSet<>();
        if (object instanceof PersistentVolumeClaim claim) {
            names.add(claim.spec().volumeAttributesClassName());
            names.add(claim.status().currentVolumeAttributesClassName());
            names.add(ModifyPlanner.begunClass(claim));
        } else if (object instanceof PersistentVolume volume) {
            names.add(volume.spec().volumeAttributesClassName());
        }
        names.remove("");
        return names;
    }

    private static Set<String> ownerOf(@Nullable ApiObject object) {
        return object instanceof PersistentVolumeClaim claim
                ? EphemeralPlanner.owningPod(claim)
                        .map(owner -> Set.of(owner.uid()))
                        .orElse(Set.of())
                : Set.of();
    }

    private static Set<String> growing(@Nullable ApiObject object) {
        if (!(object instanceof PersistentVolumeClaim claim)) {
            return Set.of();
        }
        @Nullable Quantity has = claim.status().capacity();
        @Nullable Quantity wants = claim.spec().request();
        return has != null && wants != null && wants.compareTo(has) > 0 ? Set.of(claim.className()) : Set.of();
    }
}
