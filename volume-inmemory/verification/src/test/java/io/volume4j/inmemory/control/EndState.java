package io.volume4j.inmemory.control;

import io.volume4j.inmemory.cluster.InMemoryCluster;
import io.volume4j.inmemory.plugin.InMemoryStorage;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.ObjectReference;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.PersistentVolumeClaim;
import io.volume4j.spi.model.VolumeGroupSnapshot;
import io.volume4j.spi.model.VolumeGroupSnapshotContent;
import io.volume4j.spi.model.VolumeSnapshot;
import io.volume4j.spi.model.VolumeSnapshotContent;
import java.util.TreeMap;

/** What matters in the end: every object without revisions and generated UIDs, and what the backend holds. */
final class EndState {
    private EndState() {}

    static String of(InMemoryCluster cluster, InMemoryStorage storage) {
        StringBuilder text = new StringBuilder();
        for (ApiObject object : cluster.export()) {
            if (object instanceof PersistentVolume volume) {
                ObjectReference claim = volume.spec().claimRef();
                text.append(volume.key())
                        .append(" phase=")
                        .append(volume.status().phase())
                        .append(" claim=")
                        .append(claim == null ? "-" : claim.namespace() + "/" + claim.name() + "/" + claim.uid());
            } else if (object instanceof PersistentVolumeClaim claim) {
                text.append(claim.key())
                        .append(" phase=")
                        .append(claim.status().phase())
                        .append(" class=")
                        .append(claim.spec().storageClassName())
                        .append(" volume=")
                        .append(claim.spec().volumeName())
                        .append(" modes=")
                        .append(claim.status().accessModes())
                        .append(" capacity=")
                        .append(claim.status().capacity());
            } else if (object instanceof VolumeSnapshot snapshot) {
                text.append(snapshot.key())
                        .append(" bound=")
                        .append(snapshot.status().contentName())
                        .append(" ready=")
                        .append(snapshot.status().ready())
                        .append(" error=")
                        .append(snapshot.status().error());
            } else if (object instanceof VolumeSnapshotContent content) {
                text.append(content.key())
                        .append(" handle=")
                        .append(content.handle())
                        .append(" ready=")
                        .append(content.status().ready())
                        .append(" error=")
                        .append(content.status().error());
            } else if (object instanceof VolumeGroupSnapshot group) {
                text.append(group.key())
                        .append(" bound=")
                        .append(group.status().contentName())
                        .append(" ready=")
                        .append(group.status().ready());
            } else if (object instanceof VolumeGroupSnapshotContent content) {
                text.append(content.key())
                        .append(" handle=")
                        .append(content.handle())
                        .append(" members=")
                        .append(content.status().members().size());
            } else {
                continue;
            }
            text.append(" annotations=")
                    .append(new TreeMap<>(object.metadata().annotations()))
                    .append(" finalizers=")
                    .append(object.metadata().finalizers())
                    .append(object.metadata().deleting() ? " deleting" : "")
                    .append('\n');
        }
        storage.volumes()
                .forEach(volume ->
                        text.append("backend ").append(volume.handle()).append('\n'));
        storage.snapshotHandles()
                .forEach(handle ->
                        text.append("backend snapshot ").append(handle).append('\n'));
        storage.groupSnapshotHandles()
                .forEach(handle -> text.append("backend group ").append(handle).append('\n'));
        return text.toString();
    }
}
