package io.volume4j.examples.csilifecycle;

import io.grpc.Status.Code;
import io.volume4j.csi.internal.client.CsiException;
import io.volume4j.csi.internal.proto.ControllerUnpublishVolumeRequest;
import io.volume4j.csi.internal.proto.CreateSnapshotRequest;
import io.volume4j.csi.internal.proto.CreateSnapshotResponse;
import io.volume4j.csi.internal.proto.CreateVolumeGroupSnapshotRequest;
import io.volume4j.csi.internal.proto.CreateVolumeRequest;
import io.volume4j.csi.internal.proto.CreateVolumeResponse;
import io.volume4j.csi.internal.proto.DeleteSnapshotRequest;
import io.volume4j.csi.internal.proto.DeleteVolumeGroupSnapshotRequest;
import io.volume4j.csi.internal.proto.DeleteVolumeRequest;
import io.volume4j.csi.internal.proto.NodeUnpublishVolumeRequest;
import io.volume4j.csi.internal.proto.NodeUnstageVolumeRequest;
import io.volume4j.csi.internal.proto.Snapshot;
import io.volume4j.csi.internal.proto.VolumeGroupSnapshot;
import io.volume4j.spi.FailureKind;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * Undoes what the ledger records; each step is idempotent. If the answer to a create call was lost, it repeats the call with
 * the same name and arguments, as the specification requires. So it gets the id of what may exist, and can delete it.
 */
final class Undo {
    /** Requests with the name of another object of the run: a driver that refuses the name means that object. */
    private static final Set<String> NAMED_AS_ANOTHER = Set.of("volume." + Questions.TWIN, Plan.OTHER);

    private final Driver driver;
    private final Ledger ledger;
    private final Requests requests;
    private final Console console;
    private final boolean clears;
    private final Map<String, Runnable> made = new HashMap<>();

    /** @param clears whether to remove a mount that the driver has left */
    Undo(Driver driver, Ledger ledger, Requests requests, Console console, boolean clears) {
        this.driver = driver;
        this.ledger = ledger;
        this.requests = requests;
        this.console = console;
        this.clears = clears;
    }

    /** Undoes everything; tries each part, whatever the outcome of the others. Returns the failures. */
    List<String> everything() {
        List<String> failures = new ArrayList<>();
        List<String> volumes = ledger.below("volume");
        for (String item : volumes) {
            attempt(failures, () -> {
                known(item);
                unpublish(item);
                unstage(item);
                detach(item);
            });
        }
        for (String item : volumes) {
            if (!item.equals(Plan.MAIN)) {
                attempt(failures, () -> delete(item));
            }
        }
        attempt(failures, this::deleteGroup);
        attempt(failures, () -> deleteSnapshot(Plan.OTHER));
        attempt(failures, () -> deleteSnapshot(Plan.DELTA));
        attempt(failures, () -> deleteSnapshot(Plan.SNAPSHOT));
        attempt(failures, () -> delete(Plan.MAIN));
        return failures;
    }

    private static void attempt(List<String> failures, Runnable step) {
        try {
            step.run();
        } catch (CsiException e) {
            failures.add(e.getMessage());
        } catch (Failed e) {
            failures.add(e.reason() + (e.advice().isEmpty() ? "" : ": " + e.advice()));
        } catch (UncheckedIOException e) {
            failures.add("on this machine: " + e.getMessage());
        }
    }

    /** Makes sure that the ledger has the id of a requested object, if the object exists. */
    private void known(String item) {
        String key = "volume." + item;
        Optional<CreateVolumeRequest> asked = ledger.get(key + ".request", CreateVolumeRequest.parser());
        if (ledger.get(key + ".id").isPresent() || asked.isEmpty()) {
            return;
        }
        CreateVolumeRequest request = asked.get();
        createdOrNot(key, () -> {
            String id = driver.createVolume(request).getVolumeId();
            console.result("it is " + id);
            ledger.learn(key + ".id", id);
        });
    }

    /**
     * A driver that definitely refuses to create the object has not created it, so there is nothing to undo. But a driver that refuses
     * because the name is taken may have created it by the call whose answer was lost.
     */
    private void createdOrNot(String key, Runnable again) {
        try {
            again.run();
        } catch (CsiException e) {
            if (learnt(key, e)) {
                return;
            }
            if (e.kind() == FailureKind.UNCERTAIN || e.kind() == FailureKind.TRANSIENT) {
                throw e;
            }
            if (e.answered(Code.ALREADY_EXISTS) && !NAMED_AS_ANOTHER.contains(key)) {
                throw new Failed(
                        "it may exist: " + e.getMessage(),
                        "the earlier call may have made it, and the driver does not tell its id. Delete it at the backend,"
                                + " then run again with the same --state");
            }
            console.detail("  so it does not exist: " + e.getMessage());
            ledger.remove(key);
        }
    }

    /** An invalid answer still names an object that exists now and must be deleted. */
    boolean learnt(String key, CsiException failure) {
        String id = failure.reply()
                .map(reply -> reply instanceof CreateVolumeResponse created
                        ? created.getVolume().getVolumeId()
                        : reply instanceof CreateSnapshotResponse cut
                                ? cut.getSnapshot().getSnapshotId()
                                : "")
                .orElse("");
        if (!id.isEmpty()) {
            ledger.learn(key + ".id", id);
        }
        return !id.isEmpty();
    }

    /** If the driver cannot have received the call, the object does not exist; repeating the call would create it. */
    void forgetUnsent(String key) {
        if (!driver.sent() && ledger.get(key + ".id").isEmpty()) {
            ledger.remove(key);
        }
    }

    void unpublish(String item) {
        String key = "volume." + item;
        Optional<String> target = ledger.get(key + ".published");
        if (target.isEmpty()) {
            return;
        }
        NodeUnpublishVolumeRequest request = NodeUnpublishVolumeRequest.newBuilder()
                .setVolumeId(id(item))
                .setTargetPath(target.get())
                .build();
        String volume = id(item);
        goneOr(
                "unpublish." + item,
                () -> driver.call(volume, context -> driver.node().node().nodeUnpublishVolume(request, context)));
        demandGone("NodeUnpublishVolume", item, Path.of(target.get()));
        removeEmpty(Path.of(target.get()), 3);
        ledger.remove(key + ".published");
    }

    void unstage(String item) {
        String key = "volume." + item;
        Optional<String> staging = ledger.get(key + ".staged");
        if (staging.isEmpty()) {
            return;
        }
        NodeUnstageVolumeRequest request = NodeUnstageVolumeRequest.newBuilder()
                .setVolumeId(id(item))
                .setStagingTargetPath(staging.get())
                .build();
        String volume = id(item);
        goneOr(
                "unstage." + item,
                () -> driver.call(volume, context -> driver.node().node().nodeUnstageVolume(request, context)));
        demandGone("NodeUnstageVolume", item, Path.of(staging.get()));
        removeEmpty(Path.of(staging.get()), 2);
        ledger.remove(key + ".staged");
    }

    /** The driver's answer is not enough: a volume that is still mounted can be written, and must not be deleted. */
    private void demandGone(String call, String item, Path path) {
        if (!MountTable.shows(path)) {
            return;
        }
        if (!clears) {
            throw new Failed(
                    "volume " + id(item) + " still shows at " + path + " although the driver is done with " + call,
                    "the driver must take away what it mounted, also when it was restarted since; the volume is not"
                            + " deleted meanwhile. --clean with the same --state takes the mount away without the"
                            + " driver and goes on");
        }
        console.detail("  the driver has left what shows at " + path + ": taking it away");
        MountTable.clear(path);
    }

    void detach(String item) {
        String key = "volume." + item;
        Optional<String> node = ledger.get(key + ".attached");
        if (node.isEmpty()) {
            return;
        }
        ControllerUnpublishVolumeRequest request = ControllerUnpublishVolumeRequest.newBuilder()
                .setVolumeId(id(item))
                .setNodeId(node.get())
                .putAllSecrets(requests.secrets())
                .build();
        String volume = id(item);
        goneOr(
                "detach." + item,
                () -> driver.call(
                        volume + " on " + node.get(),
                        context -> driver.controller().controller().controllerUnpublishVolume(request, context)));
        ledger.remove(key + ".attached");
    }

    /** A volume of the user stays. */
    void delete(String item) {
        String key = "volume." + item;
        for (String use : List.of(".published", ".staged", ".attached")) {
            if (ledger.get(key + use).isPresent()) {
                throw new Failed(
                        "volume " + id(item) + " is not deleted: it may still be" + use.replace('.', ' '),
                        "repair the driver and run again with the same --state");
            }
        }
        if (ledger.get(key + ".request").isPresent() && ledger.get(key + ".id").isPresent()) {
            DeleteVolumeRequest request = DeleteVolumeRequest.newBuilder()
                    .setVolumeId(id(item))
                    .putAllSecrets(requests.secrets())
                    .build();
            String volume = id(item);
            goneOr(
                    "delete." + item,
                    () -> driver.call(
                            volume, context -> driver.controller().controller().deleteVolume(request, context)));
        }
        if (ledger.get(key + ".request").isEmpty() || ledger.get(key + ".id").isPresent()) {
            ledger.remove(key);
        }
    }

    void deleteSnapshot(String key) {
        Optional<CreateSnapshotRequest> asked = ledger.get(key + ".request", CreateSnapshotRequest.parser());
        if (asked.isEmpty()) {
            return;
        }
        if (ledger.get(key + ".id").isEmpty()) {
            createdOrNot(key, () -> {
                Snapshot snapshot = driver.call(
                                asked.get().getName(),
                                context -> driver.controller()
                                        .controller()
                                        .createSnapshot(
                                                asked.get().toBuilder()
                                                        .putAllSecrets(requests.secrets())
                                                        .build(),
                                                context))
                        .getSnapshot();
                console.result("it is " + snapshot.getSnapshotId());
                ledger.learn(key + ".id", snapshot.getSnapshotId());
            });
        }
        ledger.get(key + ".id").ifPresent(id -> {
            DeleteSnapshotRequest request = DeleteSnapshotRequest.newBuilder()
                    .setSnapshotId(id)
                    .putAllSecrets(requests.secrets())
                    .build();
            goneOr(
                    "delete." + key,
                    () -> driver.call(
                            id, context -> driver.controller().controller().deleteSnapshot(request, context)));
            ledger.remove(key);
        });
    }

    void deleteGroup() {
        Optional<CreateVolumeGroupSnapshotRequest> asked =
                ledger.get("group.request", CreateVolumeGroupSnapshotRequest.parser());
        if (asked.isEmpty()) {
            return;
        }
        if (ledger.get("group.id").isEmpty()) {
            createdOrNot(
                    "group",
                    () -> remember(driver.call(
                                    asked.get().getName(),
                                    context -> driver.controller()
                                            .groups()
                                            .createVolumeGroupSnapshot(
                                                    asked.get().toBuilder()
                                                            .putAllSecrets(requests.secrets())
                                                            .build(),
                                                    context))
                            .getGroupSnapshot()));
        }
        ledger.get("group.id").ifPresent(id -> {
            DeleteVolumeGroupSnapshotRequest request = DeleteVolumeGroupSnapshotRequest.newBuilder()
                    .setGroupSnapshotId(id)
                    .addAllSnapshotIds(members())
                    .putAllSecrets(requests.secrets())
                    .build();
            goneOr(
                    "delete.group",
                    () -> driver.call(
                            id, context -> driver.controller().groups().deleteVolumeGroupSnapshot(request, context)));
            ledger.remove("group");
        });
    }

    /** Deleting a group needs its members, so the ledger gets them first: an id is never there without them. */
    void remember(VolumeGroupSnapshot group) {
        List<String> members =
                group.getSnapshotsList().stream().map(Snapshot::getSnapshotId).toList();
        ledger.learn("group.members", String.join("\n", members));
        ledger.learn("group.id", group.getGroupSnapshotId());
        console.result(group.getGroupSnapshotId());
    }

    List<String> members() {
        return ledger.get("group.members")
                .map(text -> Arrays.asList(text.split("\n", -1)))
                .orElse(List.of());
    }

    private String id(String item) {
        return ledger.get("volume." + item + ".id").orElse(item);
    }

    /** Repeats an earlier call, and accepts only OK. */
    void again(String call, String item) {
        made.getOrDefault(call + "." + item, () -> {}).run();
    }

    private void goneOr(String call, Runnable inverse) {
        made.put(call, inverse);
        try {
            inverse.run();
        } catch (CsiException e) {
            if (!Driver.saysGone(e)) {
                throw e;
            }
        }
    }

    /**
     * Removes created directories, this one and its parents; a directory with content stays, and the leak check reports it.
     */
    private static void removeEmpty(Path directory, int levels) {
        try {
            Path here = directory;
            for (int level = 0; level < levels; level++) {
                if (Files.isDirectory(here, LinkOption.NOFOLLOW_LINKS)) {
                    Files.delete(here);
                }
                here = Objects.requireNonNull(here.getParent(), "parent");
            }
        } catch (IOException stillInUse) {
            // the leak check checks it again
        }
    }
}
