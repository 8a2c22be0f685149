package io.volume4j.core.control.binding;

import io.volume4j.core.control.host.facts.ClaimFacts;
import io.volume4j.core.control.host.facts.ReferenceIndex;
import io.volume4j.core.control.host.facts.VolumeUse;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.Node;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.PersistentVolumeClaim;
import io.volume4j.spi.model.VolumeAttachment;
import io.volume4j.spi.model.WellKnown;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** References between objects. Every change of the cache updates them, so that no lookup needs a scan. */
final class ObjectIndexes {
    /** Claims without a volume, by their class. */
    final ReferenceIndex<String, ObjectKey> unboundByClass = new ReferenceIndex<>();

    /** Claims without a volume, by the node that the scheduler chose for their first pod. */
    final ReferenceIndex<String, ObjectKey> unboundByNode = new ReferenceIndex<>();

    final ReferenceIndex<String, ObjectKey> attachmentsByVolume = new ReferenceIndex<>();

    /** Nodes by the volumes in their reports or their status, see {@link VolumeUse#reported}. */
    final ReferenceIndex<String, ObjectKey> nodesByVolume = new ReferenceIndex<>();

    /** Volumes by a common key of their storage, see {@link Storage#keys}. */
    final ReferenceIndex<String, ObjectKey> volumesByStorage = new ReferenceIndex<>();

    /** The key in {@link #unboundByClass} for claims without a class field. No class has this name. */
    static final String NO_CLASS_SAID = "\0";

    private final Storage storage;

    ObjectIndexes(Storage storage) {
        this.storage = storage;
    }

    void changed(@Nullable ApiObject before, @Nullable ApiObject after, ObjectKey key) {
        switch (key.kind()) {
            case PERSISTENT_VOLUME_CLAIM -> {
                unboundByClass.move(key, classOf(before), classOf(after));
                unboundByNode.move(key, nodeOf(before), nodeOf(after));
            }
            case PERSISTENT_VOLUME -> volumesByStorage.move(key, storage.keys(before), storage.keys(after));
            case VOLUME_ATTACHMENT -> attachmentsByVolume.move(key, attached(before), attached(after));
            case NODE -> nodesByVolume.move(key, reported(before), reported(after));
            default -> {
                // no index for other kinds
            }
        }
    }

    private static Set<String> classOf(@Nullable ApiObject object) {
        if (!(object instanceof PersistentVolumeClaim claim) || !ClaimFacts.unbound(claim)) {
            return Set.of();
        }
        return Set.of(claim.classUnset() ? NO_CLASS_SAID : claim.className());
    }

    private static Set<String> nodeOf(@Nullable ApiObject object) {
        if (!(object instanceof PersistentVolumeClaim claim) || !ClaimFacts.unbound(claim)) {
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
}
