package io.volume4j.spi.model;

import java.util.Map;
import java.util.Objects;

/**
 * Describes how a driver creates snapshots of its volumes. The object has no {@code spec}.
 *
 * @param driver the plugin that creates them
 * @param deletionPolicy deletion policy of the contents that are created
 * @param parameters for the plugin; keys with the prefix {@code csi.storage.k8s.io/} name secrets
 * @since 0.1.0
 */
public record VolumeSnapshotClass(
        ObjectMeta metadata,
        String driver,
        DeletionPolicy deletionPolicy,
        Map<String, String> parameters,
        Unmodeled unmodeled)
        implements ApiObject {
    public VolumeSnapshotClass {
        Objects.requireNonNull(metadata, "metadata");
        driver = Copies.text(driver);
        deletionPolicy = deletionPolicy == null ? DeletionPolicy.UNKNOWN : deletionPolicy;
        parameters = Copies.map(parameters);
        unmodeled = unmodeled == null ? Unmodeled.none() : unmodeled;
    }

    @Override
    public Kind kind() {
        return Kind.VOLUME_SNAPSHOT_CLASS;
    }
}
