package io.volume4j.csi.internal.plugin;

import static io.volume4j.csi.internal.proto.ControllerServiceCapability.RPC.Type.GET_SNAPSHOT;
import static io.volume4j.csi.internal.proto.ControllerServiceCapability.RPC.Type.LIST_SNAPSHOTS;
import static io.volume4j.csi.internal.proto.PluginCapability.Service.Type.SNAPSHOT_ACCESSIBILITY_CONSTRAINTS;

import com.google.protobuf.Timestamp;
import io.grpc.Status.Code;
import io.volume4j.csi.internal.client.CsiException;
import io.volume4j.csi.internal.plugin.ClassParameters.SecretUse;
import io.volume4j.csi.internal.proto.CreateSnapshotRequest;
import io.volume4j.csi.internal.proto.CreateSnapshotResponse;
import io.volume4j.csi.internal.proto.DeleteSnapshotRequest;
import io.volume4j.csi.internal.proto.DeleteSnapshotResponse;
import io.volume4j.csi.internal.proto.GetSnapshotRequest;
import io.volume4j.csi.internal.proto.ListSnapshotsRequest;
import io.volume4j.csi.internal.proto.Topology;
import io.volume4j.csi.internal.proto.TopologyRequirement;
import io.volume4j.csi.internal.rules.ReplyRules;
import io.volume4j.spi.CallContext;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.model.OneLine;
import io.volume4j.spi.plugin.Snapshotter;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Snapshots of single volumes. Parameters may name secrets as in {@link ClassParameters}: {@code snapshotter-list-secret}
 * for read calls, {@code snapshotter-secret} for the others.
 */
public final class SnapshotSide implements Snapshotter {
    private final Driver driver;
    private final Secrets secrets;

    public SnapshotSide(Driver driver) {
        this.driver = driver;
        this.secrets = new Secrets(() -> driver.host().secrets());
    }

    /**
     * The caller must repeat this until the snapshot is ready: so a CSI driver reports progress. It must use the same arguments, and
     * from the second call on the handle of the first answer. Without the handle, a snapshot in the wrong place counts as new, and is
     * deleted.
     */
    @Override
    public Snapshot create(CreateRequest request, CallContext context) {
        ClassParameters parameters = ClassParameters.of(request.parameters(), request.name(), null);
        String volume = Handles.of(request.source());
        CreateSnapshotRequest create = CreateSnapshotRequest.newBuilder()
                .setName(request.name())
                .setSourceVolumeId(volume)
                .putAllParameters(parameters.forDriver())
                .mergeFrom(usableFrom(parameters.snapshotPlaces(), context))
                .build();
        TreeSet<String> lanes = new TreeSet<>();
        lanes.add(volume);
        lanes.add("name:" + request.name());
        if (!request.known().isEmpty()) {
            lanes.add(request.known());
        }
        return driver.controllerLanes()
                .alone(
                        lanes,
                        context,
                        () -> secrets.with(
                                parameters.secret(SecretUse.SNAPSHOTTER).orElse(null),
                                values -> snapshot(createOrTakeBack(
                                                create.toBuilder()
                                                        .putAllSecrets(values)
                                                        .build(),
                                                !request.known().isEmpty(),
                                                context)
                                        .getSnapshot())));
    }

    /** A driver without the capability would ignore the field and create the snapshot anywhere. */
    private CreateSnapshotRequest usableFrom(List<Map<String, String>> places, CallContext context) {
        if (places.isEmpty()) {
            return CreateSnapshotRequest.getDefaultInstance();
        }
        driver.learnController(context);
        if (!driver.has(SNAPSHOT_ACCESSIBILITY_CONSTRAINTS)) {
            throw VolumeException.finalFailure(
                            "driver " + driver.name() + " cannot be told from where a snapshot must be"
                                    + " usable, and the class asks for " + places)
                    .withAdvice("take " + ClassParameters.SNAPSHOT_PLACES + " out of the class, or use a driver with"
                            + " SNAPSHOT_ACCESSIBILITY_CONSTRAINTS (CSI 1.13)");
        }
        TopologyRequirement.Builder requirement = TopologyRequirement.newBuilder();
        for (Map<String, String> place : places) {
            Topology topology = Topology.newBuilder().putAllSegments(place).build();
            requirement.addRequisite(topology).addPreferred(topology);
        }
        return CreateSnapshotRequest.newBuilder()
                .setAccessibilityRequirements(requirement)
                .build();
    }

    /**
     * Creates a snapshot. The library deletes it by the id from the answer if the id is too long to store, or if it cannot be used
     * from where the class says: the driver would return it at each repetition.
     *
     * @param known whether an earlier answer has named the snapshot. It may be all that is left of the data, so it stays, wherever
     *     it can be used from.
     */
    private CreateSnapshotResponse createOrTakeBack(CreateSnapshotRequest create, boolean known, CallContext context) {
        try {
            return driver.controller().controller().createSnapshot(create, context);
        } catch (CsiException e) {
            @Nullable
            CreateSnapshotResponse reply = (CreateSnapshotResponse) e.reply().orElse(null);
            boolean misplaced = reply != null && ReplyRules.onlyMisplaced(create, reply);
            if (reply != null && misplaced && known) {
                return reply;
            }
            String useless = reply == null ? "" : reply.getSnapshot().getSnapshotId();
            if (!misplaced && !ReplyRules.tooLong(useless)) {
                throw e;
            }
            throw TakenBack.after(
                    e,
                    () -> driver.controller()
                            .controller()
                            .deleteSnapshot(
                                    DeleteSnapshotRequest.newBuilder()
                                            .setSnapshotId(useless)
                                            .putAllSecrets(create.getSecretsMap())
                                            .build(),
                                    context));
        }
    }

    @Override
    public boolean tellsProgress() {
        return driver.has(GET_SNAPSHOT) || driver.has(LIST_SNAPSHOTS);
    }

    @Override
    public Optional<Snapshot> get(String handle, CallContext context) {
        return get(new SnapshotRequest(handle, Map.of()), context);
    }

    @Override
    public Optional<Snapshot> get(SnapshotRequest request, CallContext context) {
        ClassParameters parameters = ClassParameters.of(request.parameters(), request.handle(), null);
        var secret = parameters
                .secret(SecretUse.SNAPSHOTTER_LIST)
                .or(() -> parameters.secret(SecretUse.SNAPSHOTTER))
                .orElse(null);
        return driver.controllerLanes().one(request.handle(), context, () -> {
            if (driver.has(GET_SNAPSHOT)) {
                return secrets.with(secret, values -> asked(request.handle(), values, context));
            }
            if (!driver.has(LIST_SNAPSHOTS)) {
                throw VolumeException.finalFailure("driver " + driver.name() + " cannot be asked for snapshot "
                                + OneLine.name(request.handle()))
                        .withAdvice("create it again under the same name: the answer tells how far it is");
            }
            return secrets.with(secret, values -> listed(request.handle(), values, context));
        });
    }

    /**
     * The progress of a snapshot, with any call that the driver has; empty if the driver denies the snapshot when asked for
     * it. A list without it is a transient failure. Without a read
     * call the library repeats the create call. That must not create a new snapshot after a deletion. So the call excludes
     * deletions of the handle, and a deletion that begins cancels the context.
     */
    public Optional<Snapshot> progress(CreateRequest made, String handle, CallContext context) {
        if (driver.has(GET_SNAPSHOT) || driver.has(LIST_SNAPSHOTS)) {
            Optional<Snapshot> found = get(new SnapshotRequest(handle, made.parameters()), context);
            if (found.isEmpty() && !driver.has(GET_SNAPSHOT)) {
                throw notListed(handle, "does not list snapshot " + handle + " now");
            }
            return found;
        }
        Snapshot again = create(new CreateRequest(made.name(), made.source(), made.parameters(), handle), context);
        if (!again.handle().equals(handle)) {
            throw VolumeException.finalFailure("driver " + driver.name() + " calls snapshot " + made.name() + " "
                            + again.handle() + " now, and called it " + handle + " before")
                    .withAdvice("look at the backend for snapshots without an object");
        }
        return Optional.of(again);
    }

    private Optional<Snapshot> asked(String handle, Map<String, String> values, CallContext context) {
        try {
            return Optional.of(snapshot(driver.controller()
                    .controller()
                    .getSnapshot(
                            GetSnapshotRequest.newBuilder()
                                    .setSnapshotId(handle)
                                    .putAllSecrets(values)
                                    .build(),
                            context)
                    .getSnapshot()));
        } catch (CsiException e) {
            if (e.provesAbsent()) {
                return Optional.empty();
            }
            throw e;
        }
    }

    private Optional<Snapshot> listed(String handle, Map<String, String> values, CallContext context) {
        ListSnapshotsRequest filter = ListSnapshotsRequest.newBuilder()
                .setSnapshotId(handle)
                .putAllSecrets(values)
                .build();
        AtomicReference<@Nullable Snapshot> found = new AtomicReference<>();
        boolean complete = driver.controller()
                .controller()
                .eachSnapshot(
                        filter,
                        entry -> {
                            // A driver may ignore the filter.
                            boolean wanted = entry.getSnapshot().getSnapshotId().equals(handle);
                            if (wanted) {
                                found.set(snapshot(entry.getSnapshot()));
                            }
                            return !wanted;
                        },
                        context);
        if (found.get() == null && !complete) {
            throw notListed(handle, "does not end its list of snapshots, and snapshot " + handle + " was not in it");
        }
        return Optional.ofNullable(found.get());
    }

    /** A list proves no absence: drivers leave out what they still work on, and cut lists short. */
    private VolumeException notListed(String handle, String what) {
        return VolumeException.transientFailure("driver " + driver.name() + " " + what)
                .withAdvice("wait, or look at the backend for snapshot " + handle);
    }

    @Override
    public void delete(String handle, CallContext context) {
        delete(new SnapshotRequest(handle, Map.of()), context);
    }

    @Override
    public void delete(SnapshotRequest request, CallContext context) {
        ClassParameters parameters = ClassParameters.of(request.parameters(), request.handle(), null);
        driver.controllerLanes()
                .one(
                        request.handle(),
                        context,
                        () -> secrets.withIfThere(
                                parameters.secret(SecretUse.SNAPSHOTTER).orElse(null),
                                values -> delete(
                                        DeleteSnapshotRequest.newBuilder()
                                                .setSnapshotId(request.handle())
                                                .putAllSecrets(values)
                                                .build(),
                                        context)));
    }

    private DeleteSnapshotResponse delete(DeleteSnapshotRequest delete, CallContext context) {
        driver.departures().leaving(delete.getSnapshotId());
        try {
            return driver.controller().controller().deleteSnapshot(delete, context);
        } catch (CsiException e) {
            if (e.answered(Code.NOT_FOUND)
                    && driver.has(GET_SNAPSHOT)
                    && asked(delete.getSnapshotId(), delete.getSecretsMap(), context)
                            .isEmpty()) {
                return DeleteSnapshotResponse.getDefaultInstance();
            }
            throw e;
        }
    }

    static Snapshot snapshot(io.volume4j.csi.internal.proto.Snapshot told) {
        return new Snapshot(
                told.getSnapshotId(),
                instant(told.getCreationTime()),
                told.getSizeBytes(),
                told.getReadyToUse(),
                Topologies.places(told.getAccessibleTopologyList()));
    }

    /** A driver may report any numbers. */
    static Instant instant(Timestamp time) {
        try {
            return Instant.ofEpochSecond(time.getSeconds(), time.getNanos());
        } catch (java.time.DateTimeException | ArithmeticException e) {
            return Instant.EPOCH;
        }
    }
}
