package io.volume4j.csi.driver.backend;

import com.google.protobuf.Timestamp;
import io.grpc.Status.Code;
import io.volume4j.csi.driver.backend.State.KnownSnapshot;
import io.volume4j.csi.driver.backend.State.KnownVolume;
import io.volume4j.csi.driver.options.Quirk;
import io.volume4j.csi.driver.options.Switches;
import io.volume4j.csi.driver.oracle.Rule;
import io.volume4j.csi.internal.proto.CreateSnapshotRequest;
import io.volume4j.csi.internal.proto.CreateSnapshotResponse;
import io.volume4j.csi.internal.proto.DeleteSnapshotRequest;
import io.volume4j.csi.internal.proto.DeleteSnapshotResponse;
import io.volume4j.csi.internal.proto.GetSnapshotRequest;
import io.volume4j.csi.internal.proto.GetSnapshotResponse;
import io.volume4j.csi.internal.proto.ListSnapshotsRequest;
import io.volume4j.csi.internal.proto.ListSnapshotsResponse;
import io.volume4j.csi.internal.proto.Snapshot;
import io.volume4j.csi.internal.proto.Topology;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Calls that create, delete and list snapshots. Called inside {@link Backend#work}. */
public final class SnapshotCalls {
    private final Backend backend;
    private final ListingCalls listing;

    public SnapshotCalls(Backend backend, ListingCalls listing) {
        this.backend = backend;
        this.listing = listing;
    }

    public CreateSnapshotResponse create(CreateSnapshotRequest request) {
        boolean placed = request.hasAccessibilityRequirements() && !backend.has(Switches.SPEAKS_112);
        if (placed && !backend.has("plugin.SNAPSHOT_ACCESSIBILITY_CONSTRAINTS")) {
            throw Refused.invalid("accessibility_requirements needs SNAPSHOT_ACCESSIBILITY_CONSTRAINTS");
        }
        for (KnownSnapshot snapshot : backend.state().snapshots.values()) {
            if (snapshot.name.equals(request.getName())) {
                return again(snapshot, request);
            }
        }
        KnownVolume volume = backend.volume(request.getSourceVolumeId());
        if (!usable(request, places(volume))) {
            throw new Refused(Code.RESOURCE_EXHAUSTED, "a snapshot of " + volume.id + " cannot be used from there");
        }
        KnownSnapshot snapshot = cut(volume, request.getName(), "");
        snapshot.parameters.putAll(request.getParametersMap());
        return CreateSnapshotResponse.newBuilder().setSnapshot(snapshot.proto).build();
    }

    private CreateSnapshotResponse again(KnownSnapshot snapshot, CreateSnapshotRequest request) {
        if (!snapshot.proto.getSourceVolumeId().equals(request.getSourceVolumeId())
                || !snapshot.parameters.equals(request.getParametersMap())
                || !usable(request, snapshot.proto.getAccessibleTopologyList())) {
            throw backend.wrong(
                    Rule.OTHER_ARGUMENTS,
                    "CreateSnapshot",
                    Code.ALREADY_EXISTS,
                    "snapshot \"" + snapshot.name + "\" exists with other arguments");
        }
        if (!snapshot.proto.getReadyToUse() && backend.options().has(Quirk.SNAPSHOT_FAILS_AFTER_CUT)) {
            throw new Refused(Code.INTERNAL, "the snapshot was cut and could not be kept");
        }
        asked(snapshot);
        return CreateSnapshotResponse.newBuilder().setSnapshot(snapshot.proto).build();
    }

    private boolean usable(CreateSnapshotRequest request, List<Topology> places) {
        return places.isEmpty()
                || backend.has(Switches.SPEAKS_112)
                || Places.reachable(request.getAccessibilityRequirements(), places);
    }

    /** Snapshots are in the place of their volumes. */
    private List<Topology> places(KnownVolume volume) {
        Map<String, String> segments =
                backend.options().pools().get(volume.pool).segments();
        return segments.isEmpty() || !backend.has("plugin.SNAPSHOT_ACCESSIBILITY_CONSTRAINTS")
                ? List.of()
                : List.of(Topology.newBuilder().putAllSegments(segments).build());
    }

    /** Creates a snapshot now; an option decides when it is ready. */
    KnownSnapshot cut(KnownVolume volume, String name, String group) {
        State state = backend.state();
        int limit = backend.options().snapshotLimit();
        if (limit > 0 && state.snapshots.size() >= limit) {
            throw new Refused(Code.RESOURCE_EXHAUSTED, "there are " + limit + " snapshots, and can be no more");
        }
        KnownSnapshot snapshot = new KnownSnapshot();
        snapshot.number = ++state.sequence;
        snapshot.name = name;
        snapshot.pollsLeft = backend.options().snapshotPolls();
        snapshot.proto = Snapshot.newBuilder()
                .setSnapshotId("snap-" + snapshot.number)
                .setSourceVolumeId(volume.id)
                .setSizeBytes(volume.bytes)
                .setCreationTime(Timestamp.newBuilder().setSeconds(backend.nowSeconds()))
                .setReadyToUse(snapshot.pollsLeft == 0)
                .setGroupSnapshotId(group)
                .addAllAccessibleTopology(places(volume))
                .build();
        backend.contents().copy(volume.id, snapshot.proto.getSnapshotId());
        state.snapshots.put(snapshot.proto.getSnapshotId(), snapshot);
        backend.born("snapshot " + name);
        return snapshot;
    }

    /** Each read brings the snapshot nearer to ready. */
    void asked(KnownSnapshot snapshot) {
        if (snapshot.pollsLeft > 0 && --snapshot.pollsLeft == 0) {
            snapshot.proto = snapshot.proto.toBuilder().setReadyToUse(true).build();
        }
    }

    public DeleteSnapshotResponse delete(DeleteSnapshotRequest request) {
        KnownSnapshot snapshot = backend.state().snapshots.get(request.getSnapshotId());
        if (snapshot == null) {
            if (backend.options().has(Quirk.NOT_FOUND_ON_REPEATED_DELETE)) {
                throw Refused.notFound("snapshot", request.getSnapshotId());
            }
            return DeleteSnapshotResponse.getDefaultInstance();
        }
        if (!snapshot.proto.getGroupSnapshotId().isEmpty()) {
            throw backend.wrong(
                    Rule.GROUP_MEMBER,
                    "DeleteSnapshot",
                    Code.INVALID_ARGUMENT,
                    request.getSnapshotId() + " belongs to " + snapshot.proto.getGroupSnapshotId());
        }
        remove(request.getSnapshotId());
        return DeleteSnapshotResponse.getDefaultInstance();
    }

    void remove(String id) {
        backend.contents().delete(id);
        backend.state().snapshots.remove(id);
    }

    public GetSnapshotResponse get(GetSnapshotRequest request) {
        KnownSnapshot snapshot = find(request.getSnapshotId());
        asked(snapshot);
        return GetSnapshotResponse.newBuilder().setSnapshot(snapshot.proto).build();
    }

    KnownSnapshot find(String id) {
        KnownSnapshot snapshot = backend.state().snapshots.get(id);
        if (snapshot == null) {
            throw Refused.notFound("snapshot", id);
        }
        return snapshot;
    }

    public ListSnapshotsResponse list(ListSnapshotsRequest request) {
        List<KnownSnapshot> wanted = new ArrayList<>();
        for (KnownSnapshot snapshot : backend.state().snapshots.values()) {
            boolean byId =
                    request.getSnapshotId().isEmpty() || request.getSnapshotId().equals(snapshot.proto.getSnapshotId());
            boolean bySource = request.getSourceVolumeId().isEmpty()
                    || request.getSourceVolumeId().equals(snapshot.proto.getSourceVolumeId());
            if (byId && bySource) {
                wanted.add(snapshot);
            }
        }
        ListingCalls.Page<KnownSnapshot> page =
                listing.page(wanted, snapshot -> snapshot.number, request.getMaxEntries(), request.getStartingToken());
        ListSnapshotsResponse.Builder reply = ListSnapshotsResponse.newBuilder().setNextToken(page.next());
        for (KnownSnapshot snapshot : page.entries()) {
            asked(snapshot);
            reply.addEntries(ListSnapshotsResponse.Entry.newBuilder().setSnapshot(snapshot.proto));
        }
        return reply.build();
    }
}
