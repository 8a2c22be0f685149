package io.volume4j.core.objects;

import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.PersistentVolumeClaim;
import io.volume4j.spi.model.VolumeAttachment;
import org.jspecify.annotations.Nullable;

/**
 * The text that all steps of a volume share in all processes: the name of its PersistentVolume. For a provisioned
 * claim this name is known before the PersistentVolume exists. For traces only.
 */
public final class VolumeStory {
    /** Before the claim's UID in names of provisioned volumes. */
    private static final String PROVISIONED = "pvc-";

    private VolumeStory() {}

    /** The name of the object's PersistentVolume. For other and for unknown objects, the key as text. */
    public static String of(ObjectKey key, ObjectCache objects) {
        @Nullable ApiObject object = objects.get(key).orElse(null);
        if (object instanceof PersistentVolumeClaim claim) {
            String volume = claim.spec().volumeName();
            return volume.isEmpty() ? PROVISIONED + claim.metadata().uid() : volume;
        }
        if (object instanceof VolumeAttachment attachment
                && !attachment.spec().persistentVolumeName().isEmpty()) {
            return attachment.spec().persistentVolumeName();
        }
        return object instanceof PersistentVolume ? key.name() : key.toString();
    }
}
