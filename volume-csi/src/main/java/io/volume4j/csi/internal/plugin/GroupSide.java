package io.volume4j.csi.internal.plugin;

import io.grpc.Status.Code;
import io.volume4j.csi.internal.client.CsiException;
import io.volume4j.csi.internal.plugin.ClassParameters.SecretUse;
import io.volume4j.csi.internal.proto.CreateVolumeGroupSnapshotRequest;
import io.volume4j.csi.internal.proto.CreateVolumeGroupSnapshotResponse;
import io.volume4j.csi.internal.proto.DeleteVolumeGroupSnapshotRequest;
import io.volume4j.csi.internal.proto.DeleteVolumeGroupSnapshotResponse;
import io.volume4j.csi.internal.proto.GetVolumeGroupSnapshotRequest;
import io.volume4j.csi.internal.proto.VolumeGroupSnapshot;
import io.volume4j.csi.internal.rules.ReplyRules;
import io.volume4j.spi.CallContext;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.model.SecretRef;
import io.volume4j.spi.plugin.GroupSnapshotter;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Supplier;

/** Snapshots of several volumes at one time, with the secrets of {@link SnapshotSide}. */
public final class GroupSide implements GroupSnapshotter {
    private final Driver driver;
    private final Secrets secrets;

    public GroupSide(Driver driver) {
        this.driver = driver;
        this.secrets = new Secrets(() -> driver.host().secrets());
    }

    @Override
    public GroupSnapshot create(CreateGroupRequest request, CallContext context) {
        ClassParameters parameters = ClassParameters.of(request.parameters(), request.name(), null);
        if (!parameters.snapshotPlaces().isEmpty()) {
            throw VolumeException.finalFailure(
                            "CSI cannot tell a driver from where a group of snapshots must be usable, and the"
                                    + " class asks for " + parameters.snapshotPlaces())
                    .withAdvice("take " + ClassParameters.SNAPSHOT_PLACES + " out of the group's class");
        }
        TreeSet<String> volumes = new TreeSet<>();
        request.sources().forEach(source -> volumes.add(Handles.of(source)));
        CreateVolumeGroupSnapshotRequest create = CreateVolumeGroupSnapshotRequest.newBuilder()
                .setName(request.name())
                .addAllSourceVolumeIds(volumes)
                .putAllParameters(parameters.forDriver())
                .build();
        TreeSet<String> lanes = new TreeSet<>(volumes);
        lanes.add("name:" + request.name());
        return driver.controllerLanes()
                .alone(
                        lanes,
                        context,
                        () -> secrets.with(
                                parameters.secret(SecretUse.SNAPSHOTTER).orElse(null),
                                values -> group(createOrTakeBack(
                                                create.toBuilder()
                                                        .putAllSecrets(values)
                                                        .build(),
                                                context)
                                        .getGroupSnapshot())));
    }

    /** As for single snapshots: deletes a group, with its members, if an id is too long to store. */
    private CreateVolumeGroupSnapshotResponse createOrTakeBack(
            CreateVolumeGroupSnapshotRequest create, CallContext context) {
        try {
            return driver.controller().groups().createVolumeGroupSnapshot(create, context);
        } catch (CsiException e) {
            VolumeGroupSnapshot made = e.reply()
                    .map(reply -> ((CreateVolumeGroupSnapshotResponse) reply).getGroupSnapshot())
                    .orElse(VolumeGroupSnapshot.getDefaultInstance());
            List<String> members = made.getSnapshotsList().stream()
                    .map(io.volume4j.csi.internal.proto.Snapshot::getSnapshotId)
                    .toList();
            if (!ReplyRules.tooLong(made.getGroupSnapshotId())
                    && members.stream().noneMatch(ReplyRules::tooLong)) {
                throw e;
            }
            throw TakenBack.after(
                    e,
                    () -> driver.controller()
                            .groups()
                            .deleteVolumeGroupSnapshot(
                                    DeleteVolumeGroupSnapshotRequest.newBuilder()
                                            .setGroupSnapshotId(made.getGroupSnapshotId())
                                            .addAllSnapshotIds(members)
                                            .putAllSecrets(create.getSecretsMap())
                                            .build(),
                                    context));
        }
    }

    @Override
    public Optional<GroupSnapshot> get(GroupRequest request, CallContext context) {
        ClassParameters parameters = ClassParameters.of(request.parameters(), request.handle(), null);
        SecretRef secret = parameters
                .secret(SecretUse.SNAPSHOTTER_LIST)
                .or(() -> parameters.secret(SecretUse.SNAPSHOTTER))
                .orElse(null);
        return alone(request, context, () -> secrets.with(secret, values -> asked(request, values, context)));
    }

    private Optional<GroupSnapshot> asked(GroupRequest request, Map<String, String> values, CallContext context) {
        try {
            return Optional.of(group(driver.controller()
                    .groups()
                    .getVolumeGroupSnapshot(
                            GetVolumeGroupSnapshotRequest.newBuilder()
                                    .setGroupSnapshotId(request.handle())
                                    .addAllSnapshotIds(request.memberHandles())
                                    .putAllSecrets(values)
                                    .build(),
                            context)
                    .getGroupSnapshot()));
        } catch (CsiException e) {
            if (e.provesAbsent()) {
                return Optional.empty();
            }
            throw e;
        }
    }

    @Override
    public void delete(GroupRequest request, CallContext context) {
        ClassParameters parameters = ClassParameters.of(request.parameters(), request.handle(), null);
        SecretRef secret = parameters.secret(SecretUse.SNAPSHOTTER).orElse(null);
        alone(
                request,
                context,
                () -> secrets.withIfThere(secret, values -> {
                    driver.departures().leaving(request.handle());
                    try {
                        return driver.controller()
                                .groups()
                                .deleteVolumeGroupSnapshot(
                                        DeleteVolumeGroupSnapshotRequest.newBuilder()
                                                .setGroupSnapshotId(request.handle())
                                                .addAllSnapshotIds(request.memberHandles())
                                                .putAllSecrets(values)
                                                .build(),
                                        context);
                    } catch (CsiException e) {
                        if (e.answered(Code.NOT_FOUND)
                                && asked(request, values, context).isEmpty()) {
                            return DeleteVolumeGroupSnapshotResponse.getDefaultInstance();
                        }
                        throw e;
                    }
                }));
    }

    private <T> T alone(GroupRequest request, CallContext context, Supplier<T> call) {
        TreeSet<String> lanes = new TreeSet<>(request.memberHandles());
        lanes.add(request.handle());
        return driver.controllerLanes().alone(lanes, context, call);
    }

    private static GroupSnapshot group(VolumeGroupSnapshot told) {
        List<Member> members = told.getSnapshotsList().stream()
                .map(member -> new Member(member.getSourceVolumeId(), SnapshotSide.snapshot(member)))
                .toList();
        return new GroupSnapshot(
                told.getGroupSnapshotId(), SnapshotSide.instant(told.getCreationTime()), told.getReadyToUse(), members);
    }
}
