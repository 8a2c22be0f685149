package io.volume4j.csi.driver;

import io.volume4j.csi.internal.proto.CreateSnapshotRequest;
import io.volume4j.csi.internal.proto.Snapshot;
import io.volume4j.csi.internal.proto.Topology;
import io.volume4j.csi.internal.proto.TopologyRequirement;

/** Snapshots that are to be usable somewhere. */
final class SnapshotTopologyCheck {
    static final String ZONE = "topology.volume4j.io/zone";

    private SnapshotTopologyCheck() {}

    static Topology zone(String name) {
        return Topology.newBuilder().putSegments(ZONE, name).build();
    }

    /** Of the volume of this name, which is made if it is not there; the same call again is the same snapshot. */
    static Snapshot cut(Fixture f, String volume, String name, String zone) {
        return f.client()
                .controller()
                .createSnapshot(CreateSnapshotRequest.newBuilder()
                        .setSourceVolumeId(f.volume(volume).getVolumeId())
                        .setName(name)
                        .setAccessibilityRequirements(
                                TopologyRequirement.newBuilder().addRequisite(zone(zone)))
                        .build())
                .getSnapshot();
    }
}
