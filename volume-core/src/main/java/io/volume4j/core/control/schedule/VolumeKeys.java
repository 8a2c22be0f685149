package io.volume4j.core.control.schedule;

import io.volume4j.core.control.schedule.PodNeeds.Waiting;
import io.volume4j.core.migration.CsiMigration;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.model.CsiSource;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.PersistentVolumeClaim;
import io.volume4j.spi.model.Pod;
import io.volume4j.spi.model.PodVolume;
import io.volume4j.spi.model.StorageClass;
import io.volume4j.spi.model.VolumeAttachment;
import io.volume4j.spi.model.VolumeSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The identities by which drivers' volumes are counted. Has no state. */
final class VolumeKeys {
    private final CsiMigration migration;

    VolumeKeys(CsiMigration migration) {
        this.migration = migration;
    }

    /** The volume by its driver's handle; empty for a volume that no driver attaches. */
    Optional<AttachUse.Volume> of(PersistentVolume volume) {
        return of(migration.specIfPossible(volume, false).source());
    }

    /** The future volume of a claim: counts as one more volume. */
    AttachUse.Volume of(PersistentVolumeClaim claim, StorageClass storageClass) {
        return new AttachUse.Volume(
                migration.current(storageClass.provisioner()),
                "claim " + claim.metadata().uid());
    }

    /** Counts an existing volume for the claim in place of a future one. Another claim or the node may have it already. */
    void replace(Waiting waiting, PersistentVolume volume, List<AttachUse.Volume> counted) {
        counted.remove(of(waiting.claim(), waiting.storageClass()));
        of(volume).filter(known -> !counted.contains(known)).ifPresent(counted::add);
    }

    /**
     * The volumes that the pod's spec describes in-tree, and that drivers handle now. A description that cannot be translated counts
     * as no volume, because no driver attaches it.
     */
    List<AttachUse.Volume> ofInline(Pod pod) {
        List<AttachUse.Volume> volumes = new ArrayList<>();
        for (PodVolume volume : pod.spec().volumes()) {
            if (migration.driverFor(volume.source()).isPresent()) {
                try {
                    of(migration.spec(volume, pod.metadata().namespace()).source())
                            .ifPresent(volumes::add);
                } catch (VolumeException untranslatable) {
                    // no plugin handles it
                }
            }
        }
        return volumes;
    }

    /** The volume of an attachment; without a known object, it counts by its name. */
    AttachUse.Volume of(VolumeAttachment attachment, Function<String, Optional<PersistentVolume>> volumes) {
        VolumeAttachment.Spec spec = attachment.spec();
        PersistentVolume.@Nullable Spec inline = spec.inlineVolumeSpec();
        Optional<AttachUse.Volume> known =
                inline == null ? volumes.apply(spec.persistentVolumeName()).flatMap(this::of) : of(inline.source());
        return known.orElseGet(() -> new AttachUse.Volume(spec.attacher(), "volume " + spec.persistentVolumeName()));
    }

    private static Optional<AttachUse.Volume> of(VolumeSource source) {
        return source instanceof CsiSource csi && !csi.volumeHandle().isEmpty()
                ? Optional.of(new AttachUse.Volume(csi.driver(), csi.volumeHandle()))
                : Optional.empty();
    }
}
