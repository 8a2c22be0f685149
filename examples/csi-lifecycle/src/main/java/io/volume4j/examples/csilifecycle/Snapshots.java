package io.volume4j.examples.csilifecycle;

import io.grpc.Status.Code;
import io.volume4j.csi.internal.client.CsiException;
import io.volume4j.csi.internal.client.Listing;
import io.volume4j.csi.internal.client.SnapshotMetadataCalls;
import io.volume4j.csi.internal.proto.BlockMetadata;
import io.volume4j.csi.internal.proto.BlockMetadataType;
import io.volume4j.csi.internal.proto.CreateSnapshotRequest;
import io.volume4j.csi.internal.proto.CreateVolumeGroupSnapshotRequest;
import io.volume4j.csi.internal.proto.GetMetadataAllocatedRequest;
import io.volume4j.csi.internal.proto.GetMetadataDeltaRequest;
import io.volume4j.csi.internal.proto.GetSnapshotRequest;
import io.volume4j.csi.internal.proto.GetVolumeGroupSnapshotRequest;
import io.volume4j.csi.internal.proto.ListSnapshotsRequest;
import io.volume4j.csi.internal.proto.ListSnapshotsResponse;
import io.volume4j.csi.internal.proto.Snapshot;
import io.volume4j.csi.internal.proto.VolumeContentSource;
import io.volume4j.csi.internal.proto.VolumeGroupSnapshot;
import io.volume4j.spi.FailureKind;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** The snapshot and the group snapshot of a journey. */
final class Snapshots {
    private final Driver driver;
    private final Arguments arguments;
    private final Requests requests;
    private final Ledger ledger;
    private final Undo undo;
    private final Console console;
    private final String prefix;
    private final Set<String> made = new TreeSet<>();
    private final Map<String, String> ids = new TreeMap<>();

    Snapshots(Driver driver, Arguments arguments, Ledger ledger, Undo undo, Console console, String prefix) {
        this.driver = driver;
        this.arguments = arguments;
        this.requests = new Requests(arguments);
        this.ledger = ledger;
        this.undo = undo;
        this.console = console;
        this.prefix = prefix;
    }

    Set<String> made() {
        return made;
    }

    /** Creates a snapshot, and asks again until it is ready. */
    void cut(String key, Item of) {
        CreateSnapshotRequest request = CreateSnapshotRequest.newBuilder()
                .setName(prefix + "-" + key)
                .setSourceVolumeId(of.id())
                .putAllParameters(arguments.setting("--snapshot-parameter"))
                .build();
        ledger.begin(key + ".request", request);
        Instant until = driver.after(arguments.snapshotTimeout());
        for (int poll = 1; ; poll++) {
            Snapshot snapshot = create(key, request);
            String id = snapshot.getSnapshotId();
            ids.put(key, id);
            made.add(id);
            ledger.learn(key + ".id", id);
            console.result(id + (snapshot.getReadyToUse() ? "" : ", not ready yet"));
            if (snapshot.getReadyToUse()) {
                return;
            }
            driver.pause(
                    poll,
                    until,
                    "snapshot " + id + " is not ready after "
                            + arguments.snapshotTimeout().toSeconds() + " s",
                    "if the backend needs longer, give it the time with --snapshot-timeout");
        }
    }

    private Snapshot create(String key, CreateSnapshotRequest request) {
        try {
            return driver.call(
                            request.getName(),
                            context -> driver.controller()
                                    .controller()
                                    .createSnapshot(
                                            request.toBuilder()
                                                    .putAllSecrets(requests.secrets())
                                                    .build(),
                                            context))
                    .getSnapshot();
        } catch (CsiException e) {
            if (undo.learnt(key, e)) {
                ledger.get(key + ".id").ifPresent(made::add);
            }
            throw e;
        } finally {
            undo.forgetUnsent(key);
        }
    }

    private String id(String key) {
        return ids.getOrDefault(key, "");
    }

    VolumeContentSource source() {
        return VolumeContentSource.newBuilder()
                .setSnapshot(VolumeContentSource.SnapshotSource.newBuilder().setSnapshotId(id(Plan.SNAPSHOT)))
                .build();
    }

    /** An id of a snapshot or group that does not exist. */
    static String unknown() {
        return "v4j-lifecycle-none";
    }

    /** Creates a snapshot of another volume under an existing name. */
    void cutOther(Item of) {
        CreateSnapshotRequest request =
                ledger.get(Plan.SNAPSHOT + ".request", CreateSnapshotRequest.parser()).orElseThrow().toBuilder()
                        .setSourceVolumeId(of.id())
                        .build();
        ledger.begin(Plan.OTHER + ".request", request);
        Snapshot granted;
        try {
            granted = create(Plan.OTHER, request);
        } catch (CsiException e) {
            if (ledger.get(Plan.OTHER + ".id").isPresent()) {
                undo.deleteSnapshot(Plan.OTHER);
            } else if (e.kind() != FailureKind.UNCERTAIN && e.kind() != FailureKind.TRANSIENT) {
                ledger.remove(Plan.OTHER);
            }
            Refusals.demand(Code.ALREADY_EXISTS, e);
            return;
        }
        if (granted.getSnapshotId().equals(id(Plan.SNAPSHOT))) {
            ledger.remove(Plan.OTHER);
        } else {
            ledger.learn(Plan.OTHER + ".id", granted.getSnapshotId());
            undo.deleteSnapshot(Plan.OTHER);
        }
        throw new Failed(
                "CreateSnapshot of another volume says OK for a name that is taken: " + granted.getSnapshotId(),
                "a name that is taken must be refused with ALREADY_EXISTS if it stands for another volume's snapshot");
    }

    void listOf(Item volume) {
        ListSnapshotsRequest filter = ListSnapshotsRequest.newBuilder()
                .setSourceVolumeId(volume.id())
                .putAllSecrets(requests.secrets())
                .build();
        List<Snapshot> listed = driver
                .call(volume.id(), context -> driver.controller().controller().listAllSnapshots(filter, context))
                .entries()
                .stream()
                .map(ListSnapshotsResponse.Entry::getSnapshot)
                .toList();
        for (Snapshot each : listed) {
            if (!each.getSourceVolumeId().equals(volume.id())) {
                throw new Failed(
                        "ListSnapshots of volume " + volume.id() + " lists " + each.getSnapshotId() + " of "
                                + each.getSourceVolumeId(),
                        "");
            }
        }
        if (listed.stream().noneMatch(each -> each.getSnapshotId().equals(id(Plan.SNAPSHOT)))) {
            throw new Failed(
                    "ListSnapshots of volume " + volume.id() + " leaves out " + id(Plan.SNAPSHOT)
                            + ", which was cut of it",
                    "");
        }
    }

    void list() {
        String id = id(Plan.SNAPSHOT);
        ListSnapshotsRequest filter = ListSnapshotsRequest.newBuilder()
                .setSnapshotId(id)
                .putAllSecrets(requests.secrets())
                .build();
        Listing<ListSnapshotsResponse.Entry> listing =
                driver.call(id, context -> driver.controller().controller().listAllSnapshots(filter, context));
        boolean listed = listing.entries().stream()
                .anyMatch(entry -> entry.getSnapshot().getSnapshotId().equals(id));
        if (!listed) {
            throw new Failed("the driver does not list snapshot " + id + ", which it has just cut", "");
        }
    }

    void get() {
        String id = id(Plan.SNAPSHOT);
        GetSnapshotRequest request = GetSnapshotRequest.newBuilder()
                .setSnapshotId(id)
                .putAllSecrets(requests.secrets())
                .build();
        Snapshot snapshot = driver.call(
                        id, context -> driver.controller().controller().getSnapshot(request, context))
                .getSnapshot();
        if (!snapshot.getSnapshotId().equals(id) || !snapshot.getReadyToUse()) {
            throw new Failed(
                    "GetSnapshot of " + id + " answers with "
                            + (snapshot.getReadyToUse() ? "snapshot " + snapshot.getSnapshotId() : "one not ready"),
                    "CreateSnapshot has said that it is ready, and it must stay so");
        }
        console.result("ready");
    }

    /** @param written an offset that was written before the snapshot, negative for none */
    void allocated(long written) {
        String id = id(Plan.SNAPSHOT);
        GetMetadataAllocatedRequest request = GetMetadataAllocatedRequest.newBuilder()
                .setSnapshotId(id)
                .putAllSecrets(requests.secrets())
                .build();
        Blocks found = driver.call(id, context -> {
            Blocks blocks = new Blocks(written);
            driver.controller().metadata().getMetadataAllocated(request, context, blocks);
            return blocks;
        });
        console.result(Console.size(found.bytes) + " hold something");
        found.demandFound("GetMetadataAllocated of snapshot " + id);
    }

    /** @param written an offset that was written between the two snapshots, negative for none */
    void changed(long written) {
        String id = id(Plan.DELTA);
        GetMetadataDeltaRequest request = GetMetadataDeltaRequest.newBuilder()
                .setBaseSnapshotId(id(Plan.SNAPSHOT))
                .setTargetSnapshotId(id)
                .putAllSecrets(requests.secrets())
                .build();
        Blocks found = driver.call(id, context -> {
            Blocks blocks = new Blocks(written);
            driver.controller().metadata().getMetadataDelta(request, context, blocks);
            return blocks;
        });
        console.result(Console.size(found.bytes) + " have changed");
        found.demandFound("GetMetadataDelta of snapshot " + id);
    }

    /** Adds the blocks of a stream, and records whether one contains the wanted offset. */
    static final class Blocks implements SnapshotMetadataCalls.BlockSink {
        private final long wanted;
        private boolean found;
        private long bytes;

        Blocks(long wanted) {
            this.wanted = wanted;
        }

        @Override
        public void accept(BlockMetadataType style, long volumeCapacity, List<BlockMetadata> blocks) {
            for (BlockMetadata block : blocks) {
                bytes += block.getSizeBytes();
                found |= wanted >= block.getByteOffset() && wanted < block.getByteOffset() + block.getSizeBytes();
            }
        }

        void demandFound(String call) {
            if (wanted >= 0 && !found) {
                throw new Failed(
                        call + " leaves out byte " + wanted + ", which was written",
                        "a backup that reads these blocks alone loses data");
            }
        }
    }

    void group(Item of) {
        CreateVolumeGroupSnapshotRequest request = CreateVolumeGroupSnapshotRequest.newBuilder()
                .setName(prefix + "-group")
                .addSourceVolumeIds(of.id())
                .build();
        ledger.begin("group.request", request);
        try {
            VolumeGroupSnapshot group = driver.call(
                            request.getName(),
                            context -> driver.controller()
                                    .groups()
                                    .createVolumeGroupSnapshot(
                                            request.toBuilder()
                                                    .putAllSecrets(requests.secrets())
                                                    .build(),
                                            context))
                    .getGroupSnapshot();
            undo.remember(group);
        } finally {
            undo.forgetUnsent("group");
        }
        made.addAll(undo.members());
    }

    void getGroup() {
        GetVolumeGroupSnapshotRequest request = GetVolumeGroupSnapshotRequest.newBuilder()
                .setGroupSnapshotId(ledger.get("group.id").orElse(""))
                .addAllSnapshotIds(undo.members())
                .putAllSecrets(requests.secrets())
                .build();
        boolean ready = driver.call(
                        request.getGroupSnapshotId(),
                        context -> driver.controller().groups().getVolumeGroupSnapshot(request, context))
                .getGroupSnapshot()
                .getReadyToUse();
        console.result(ready ? "ready" : "not ready yet");
    }
}
