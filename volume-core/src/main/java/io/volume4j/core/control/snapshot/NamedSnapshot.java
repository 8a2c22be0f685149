package io.volume4j.core.control.snapshot;

import io.volume4j.spi.host.ClusterSource;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.ObjectReference;
import io.volume4j.spi.model.OneLine;
import io.volume4j.spi.model.VolumeSnapshot;
import io.volume4j.spi.model.VolumeSnapshotClass;
import io.volume4j.spi.model.VolumeSnapshotContent;
import java.util.Map;
import java.util.Optional;

/** The state of a snapshot that a user names, according to the store. */
public sealed interface NamedSnapshot {
    /**
     * It is ready to use.
     *
     * @param handle the plugin's handle of the snapshot
     * @param volumeHandle the plugin's handle of the source volume, {@code ""} if the content does not have it
     * @param parameters the secret for the plugin's calls
     */
    record Usable(String driver, String handle, String volumeHandle, Map<String, String> parameters)
            implements NamedSnapshot {}

    /** The snapshot or its content does not exist. */
    record Missing(String problem) implements NamedSnapshot {}

    /** It is not ready to use yet. */
    record NotReady(String problem) implements NamedSnapshot {}

    /**
     * Reads the snapshot, its content and, if necessary, its class from the store itself.
     *
     * @throws io.volume4j.spi.host.ClusterException if the store cannot be read
     */
    static NamedSnapshot read(ClusterSource cluster, ObjectKey key) {
        Optional<VolumeSnapshot> snapshot = cluster.readLive(key).map(VolumeSnapshot.class::cast);
        if (snapshot.isEmpty()) {
            return new Missing(key + " does not exist");
        }
        VolumeSnapshot.Status status = snapshot.get().status();
        if (!status.ready() || status.contentName().isEmpty()) {
            return new NotReady(key + " is not ready to use");
        }
        ObjectKey contentKey = new ObjectKey(Kind.VOLUME_SNAPSHOT_CONTENT, "", status.contentName());
        Optional<VolumeSnapshotContent> content = cluster.readLive(contentKey).map(VolumeSnapshotContent.class::cast);
        if (content.isEmpty()) {
            return new Missing(contentKey + " of " + key + " does not exist");
        }
        if (!bound(content.get(), snapshot.get())) {
            return new NotReady(contentKey + " is not bound to " + key);
        }
        if (!content.get().status().ready() || content.get().handle().isEmpty()) {
            return new NotReady(contentKey + " is not ready to use");
        }
        return usable(cluster, content.get());
    }

    /** A snapshot's status is not enough: a user with write access to it could name a content of another namespace. */
    private static boolean bound(VolumeSnapshotContent content, VolumeSnapshot snapshot) {
        ObjectReference owner = content.spec().snapshotRef();
        return owner.namespace().equals(snapshot.metadata().namespace())
                && owner.name().equals(snapshot.metadata().name())
                && owner.uid().equals(snapshot.metadata().uid());
    }

    private static NamedSnapshot usable(ClusterSource cluster, VolumeSnapshotContent content) {
        VolumeSnapshotContent.Spec spec = content.spec();
        Map<String, String> parameters = SnapshotSecrets.of(content);
        if (parameters.isEmpty() && !spec.className().isEmpty()) {
            Optional<VolumeSnapshotClass> type = cluster.readLive(
                            new ObjectKey(Kind.VOLUME_SNAPSHOT_CLASS, "", spec.className()))
                    .map(VolumeSnapshotClass.class::cast);
            try {
                parameters = SnapshotSecrets.filled(
                        type.map(VolumeSnapshotClass::parameters).orElse(Map.of()),
                        SnapshotWords.SINGLE,
                        content.metadata().name(),
                        spec.snapshotRef());
            } catch (IllegalArgumentException wrong) {
                return new NotReady(
                        "class " + OneLine.name(spec.className()) + " of the snapshot: " + wrong.getMessage());
            }
        }
        return new Usable(spec.driver(), content.handle(), spec.volumeHandle(), parameters);
    }
}
