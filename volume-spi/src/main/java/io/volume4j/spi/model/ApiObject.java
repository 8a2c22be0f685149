package io.volume4j.spi.model;

/**
 * An object of the cluster, in the shape of Kubernetes' own ({@code apiVersion}, {@code kind}, {@code metadata}, {@code
 * spec}, {@code status}). Immutable.
 *
 * @since 0.1.0
 */
public sealed interface ApiObject
        permits Pod,
                Node,
                PersistentVolume,
                PersistentVolumeClaim,
                StorageClass,
                VolumeAttachment,
                CsiDriver,
                CsiNode,
                CsiStorageCapacity,
                VolumeAttributesClass,
                VolumePopulator,
                ReferenceGrant,
                VolumeSnapshot,
                VolumeSnapshotContent,
                VolumeSnapshotClass,
                VolumeGroupSnapshot,
                VolumeGroupSnapshotContent,
                VolumeGroupSnapshotClass,
                Lease,
                Event,
                VolumeMove {

    Kind kind();

    ObjectMeta metadata();

    /** What the manifest said beyond the modeled fields; written back as it was read. */
    Unmodeled unmodeled();

    /** In which version of its kind it was read; that in which new objects are written, for one that was built in code. */
    default String apiVersion() {
        return unmodeled().document().get("apiVersion") instanceof String read
                        && kind().apiVersions().contains(read)
                ? read
                : kind().apiVersion();
    }

    default ObjectKey key() {
        return new ObjectKey(kind(), metadata().namespace(), metadata().name());
    }
}
