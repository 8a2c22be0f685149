package io.volume4j.csi.driver.backend;

import com.google.protobuf.Timestamp;
import io.grpc.Status.Code;
import io.volume4j.csi.driver.backend.State.KnownGroup;
import io.volume4j.csi.driver.backend.State.KnownSnapshot;
import io.volume4j.csi.driver.backend.State.KnownVolume;
import io.volume4j.csi.driver.oracle.Rule;
import io.volume4j.csi.internal.proto.CreateVolumeGroupSnapshotRequest;
import io.volume4j.csi.internal.proto.CreateVolumeGroupSnapshotResponse;
import io.volume4j.csi.internal.proto.DeleteVolumeGroupSnapshotRequest;
import io.volume4j.csi.internal.proto.DeleteVolumeGroupSnapshotResponse;
import io.volume4j.csi.internal.proto.GetVolumeGroupSnapshotRequest;
import io.volume4j.csi.internal.proto.GetVolumeGroupSnapshotResponse;
import io.volume4j.csi.internal.proto.VolumeGroupSnapshot;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/** Calls for snapshots of several volumes at one time. Called inside {@link Backend#work}. */
public final class GroupCalls {
    private final Backend backend;
    private final SnapshotCalls snapshots;

    public GroupCalls(Backend backend, SnapshotCalls snapshots) {
        this.backend = backend;
        this.snapshots = snapshots;
    }

    public CreateVolumeGroupSnapshotResponse create(CreateVolumeGroupSnapshotRequest request) {
        for (KnownGroup group : backend.state().groups.values()) {
            if (group.name.equals(request.getName())) {
                demandSame(group, request);
                return CreateVolumeGroupSnapshotResponse.newBuilder()
                        .setGroupSnapshot(proto(group, true))
                        .build();
            }
        }
        List<KnownVolume> sources = new ArrayList<>();
        for (String source : new TreeSet<>(request.getSourceVolumeIdsList())) {
            sources.add(backend.volume(source));
        }
        int limit = backend.options().snapshotLimit();
        if (limit > 0 && backend.state().snapshots.size() + sources.size() > limit) {
            throw new Refused(Code.RESOURCE_EXHAUSTED, "there can be no more than " + limit + " snapshots");
        }
        KnownGroup group = new KnownGroup();
        group.id = "group-" + ++backend.state().sequence;
        group.name = request.getName();
        group.seconds = backend.nowSeconds();
        group.sources.addAll(request.getSourceVolumeIdsList());
        group.parameters.putAll(request.getParametersMap());
        for (KnownVolume source : sources) {
            KnownSnapshot member = snapshots.cut(source, request.getName() + "/" + source.id, group.id);
            group.members.add(member.proto.getSnapshotId());
        }
        backend.state().groups.put(group.id, group);
        backend.born("group " + group.name);
        return CreateVolumeGroupSnapshotResponse.newBuilder()
                .setGroupSnapshot(proto(group, false))
                .build();
    }

    private void demandSame(KnownGroup group, CreateVolumeGroupSnapshotRequest request) {
        if (!new TreeSet<>(group.sources).equals(new TreeSet<>(request.getSourceVolumeIdsList()))
                || !group.parameters.equals(request.getParametersMap())) {
            throw backend.wrong(
                    Rule.OTHER_ARGUMENTS,
                    "CreateVolumeGroupSnapshot",
                    Code.ALREADY_EXISTS,
                    "group snapshot \"" + group.name + "\" exists with other arguments");
        }
    }

    public DeleteVolumeGroupSnapshotResponse delete(DeleteVolumeGroupSnapshotRequest request) {
        KnownGroup group = backend.state().groups.get(request.getGroupSnapshotId());
        if (group != null) {
            demandMembers(group, request.getSnapshotIdsList());
            group.members.forEach(snapshots::remove);
            backend.state().groups.remove(group.id);
        }
        return DeleteVolumeGroupSnapshotResponse.getDefaultInstance();
    }

    public GetVolumeGroupSnapshotResponse get(GetVolumeGroupSnapshotRequest request) {
        KnownGroup group = backend.state().groups.get(request.getGroupSnapshotId());
        if (group == null) {
            throw Refused.notFound("group snapshot", request.getGroupSnapshotId());
        }
        demandMembers(group, request.getSnapshotIdsList());
        return GetVolumeGroupSnapshotResponse.newBuilder()
                .setGroupSnapshot(proto(group, true))
                .build();
    }

    private static void demandMembers(KnownGroup group, List<String> ids) {
        if (!new TreeSet<>(group.members).equals(new TreeSet<>(ids))) {
            throw Refused.invalid("snapshot_ids are not those of " + group.id);
        }
    }

    private VolumeGroupSnapshot proto(KnownGroup group, boolean asked) {
        VolumeGroupSnapshot.Builder proto = VolumeGroupSnapshot.newBuilder()
                .setGroupSnapshotId(group.id)
                .setCreationTime(Timestamp.newBuilder().setSeconds(group.seconds));
        boolean ready = true;
        for (String id : group.members) {
            KnownSnapshot member = snapshots.find(id);
            if (asked) {
                snapshots.asked(member);
            }
            ready &= member.proto.getReadyToUse();
            proto.addSnapshots(member.proto);
        }
        return proto.setReadyToUse(ready).build();
    }
}
