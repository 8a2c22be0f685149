package io.volume4j.core.control.schedule;

import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.VolumeAttachment;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The VolumeAttachments of the cluster. Each counts at its node, with the current name of its volume. Not thread-safe. */
final class CountedAttachments {
    private record Counted(VolumeAttachment attachment, int node, List<AttachUse.Volume> volumes) {}

    private final NodeTable nodes;
    private final AttachUse attached;
    private final VolumeKeys keys;
    private final Function<String, Optional<PersistentVolume>> volumes;
    private final KeysByName byVolume = new KeysByName();
    private final Map<ObjectKey, Counted> counted = new HashMap<>();

    CountedAttachments(
            NodeTable nodes,
            AttachUse attached,
            VolumeKeys keys,
            Function<String, Optional<PersistentVolume>> volumes) {
        this.nodes = nodes;
        this.attached = attached;
        this.keys = keys;
        this.volumes = volumes;
    }

    void changed(ObjectKey key, @Nullable VolumeAttachment before, @Nullable VolumeAttachment after) {
        byVolume.move(before, volumeOf(before), after, volumeOf(after));
        count(key, after);
    }

    /** Counts the attachments of the volume again, because its name may have changed. */
    void volumeChanged(String name) {
        for (ObjectKey key : byVolume.of(name)) {
            @Nullable Counted known = counted.get(key);
            if (known != null) {
                count(key, known.attachment());
            }
        }
    }

    private void count(ObjectKey key, @Nullable VolumeAttachment attachment) {
        @Nullable Counted before = counted.remove(key);
        if (before != null) {
            attached.remove(before.node(), before.volumes());
            refused(before, -1);
            nodes.release(before.node());
        }
        if (attachment != null) {
            int node = nodes.retain(attachment.spec().nodeName());
            Counted now = new Counted(attachment, node, List.of(keys.of(attachment, volumes)));
            attached.add(node, now.volumes());
            refused(now, 1);
            counted.put(key, now);
        }
    }

    private void refused(Counted counted, int change) {
        if (counted.attachment().status().refusedForRoom()) {
            counted.volumes().forEach(volume -> attached.refused(counted.node(), volume.driver(), change));
        }
    }

    private static String volumeOf(@Nullable VolumeAttachment attachment) {
        return attachment == null ? "" : attachment.spec().persistentVolumeName();
    }
}
