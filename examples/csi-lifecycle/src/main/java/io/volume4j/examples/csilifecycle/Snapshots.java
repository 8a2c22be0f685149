package io.volume4j.examples.csilifecycle;

import io.volume4j.csi.internal.client.CsiException;
import io.volume4j.csi.internal.client.Listing;
import io.volume4j.csi.internal.proto.CreateSnapshotRequest;
import io.volume4j.csi.internal.proto.CreateVolumeGroupSnapshotRequest;
import io.volume4j.csi.internal.proto.GetMetadataAllocatedRequest;
import io.volume4j.csi.internal.proto.GetVolumeGroupSnapshotRequest;
import io.volume4j.csi.internal.proto.ListSnapshotsRequest;
import io.volume4j.csi.internal.proto.ListSnapshotsResponse;
import io.volume4j.csi.internal.proto.Snapshot;
import io.volume4j.csi.internal.proto.VolumeContentSource;
import io.volume4j.csi.internal.proto.VolumeGroupSnapshot;
import java.util.Set;
import java.util.TreeSet;

/** The snapshot and the group snapshot of a journey. */
final class Snapshots {
    private static final int MOST_POLLS = 1000;

    private final Driver driver;
    private final Arguments arguments;
    private final Requests requests;
    private final Ledger ledger;
    private final Undo undo;
    private final Console console;
    private final String prefix;
    private final Set<String> made = new TreeSet<>();
    private String id = "";

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

    /** Cuts, and asks again until the snapshot can be used. */
    void cut(Item of) {
        CreateSnapshotRequest request = CreateSnapshotRequest.newBuilder()
                .setName(prefix + "-snapshot")
                .setSourceVolumeId(of.id())
                .putAllParameters(arguments.setting("--snapshot-parameter"))
                .build();
        ledger.begin("snapshot.request", request);
        for (int poll = 1; ; poll++) {
            Snapshot snapshot = create(request);
            id = snapshot.getSnapshotId();
            made.add(id);
            ledger.learn("snapshot.id", id);
            console.result(id + (snapshot.getReadyToUse() ? "" : ", not ready yet"));
            if (snapshot.getReadyToUse()) {
                return;
            }
            if (poll == MOST_POLLS) {
                throw new Failed("snapshot " + id + " does not become ready", "");
            }
            driver.pause();
        }
    }

    private Snapshot create(CreateSnapshotRequest request) {
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
            if (undo.learnt("snapshot", e)) {
                ledger.get("snapshot.id").ifPresent(made::add);
            }
            throw e;
        } finally {
            undo.forgetUnsent("snapshot");
        }
    }

    VolumeContentSource source() {
        return VolumeContentSource.newBuilder()
                .setSnapshot(VolumeContentSource.SnapshotSource.newBuilder().setSnapshotId(id))
                .build();
    }

    void list() {
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

    void metadata() {
        GetMetadataAllocatedRequest request = GetMetadataAllocatedRequest.newBuilder()
                .setSnapshotId(id)
                .putAllSecrets(requests.secrets())
                .build();
        long bytes = driver.call(id, context -> {
            long[] sum = new long[1];
            driver.controller()
                    .metadata()
                    .getMetadataAllocated(
                            request,
                            context,
                            (style, capacity, blocks) -> blocks.forEach(block -> sum[0] += block.getSizeBytes()));
            return sum[0];
        });
        console.result(Console.size(bytes) + " hold something");
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
