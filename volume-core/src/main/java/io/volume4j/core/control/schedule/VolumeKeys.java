package io.volume4j.core.control.schedule;

import io.volume4j.core.migration.CsiMigration;
import io.volume4j.spi.model.CsiSource;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.PersistentVolumeClaim;
import io.volume4j.spi.model.StorageClass;
import io.volume4j.spi.model.VolumeAttachment;
import io.volume4j.spi.model.VolumeSource;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The identities by which drivers' volumes are counted. Pure. */
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
