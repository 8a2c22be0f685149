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

    /** The manifest's fields that no record models. The library writes them back as it read them. */
    Unmodeled unmodeled();

    /**
     * The {@code apiVersion} in which the object was read. For an object that was built in code: the one in which the
     * library writes new objects.
     */
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
