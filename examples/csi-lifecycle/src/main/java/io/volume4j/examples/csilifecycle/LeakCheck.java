package io.volume4j.examples.csilifecycle;

import io.volume4j.csi.internal.client.CsiException;
import io.volume4j.csi.internal.client.Listing;
import io.volume4j.csi.internal.proto.ControllerGetVolumeRequest;
import io.volume4j.csi.internal.proto.ControllerServiceCapability.RPC;
import io.volume4j.csi.internal.proto.ListSnapshotsRequest;
import io.volume4j.csi.internal.proto.ListSnapshotsResponse;
import io.volume4j.csi.internal.proto.ListVolumesResponse;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/** Searches for leaks: at the driver, in the kernel's mount table, and in the program's directory. */
final class LeakCheck {
    private final Driver driver;
    private final Abilities can;
    private final Requests requests;
    private final Console console;

    LeakCheck(Driver driver, Abilities can, Requests requests, Console console) {
        this.driver = driver;
        this.requests = requests;
        this.can = can;
        this.console = console;
    }

    /** The ids of all volumes that the driver lists; empty if it does not list volumes. */
    Set<String> volumes() {
        Set<String> ids = new TreeSet<>();
        if (can.controller(RPC.Type.LIST_VOLUMES)) {
            Listing<ListVolumesResponse.Entry> listing = driver.call(
                    "all volumes", context -> driver.controller().controller().listAllVolumes(context));
            listing.entries().forEach(entry -> ids.add(entry.getVolume().getVolumeId()));
            console.result(Console.count(ids.size(), "volume")
                    + (listing.complete() ? "" : ", and it does not say that these are all"));
        }
        return ids;
    }

    private Set<String> snapshots() {
        Set<String> ids = new TreeSet<>();
        if (can.controller(RPC.Type.LIST_SNAPSHOTS)) {
            ListSnapshotsRequest all = ListSnapshotsRequest.newBuilder()
                    .putAllSecrets(requests.secrets())
                    .build();
            Listing<ListSnapshotsResponse.Entry> listing = driver.call(
                    "all snapshots", context -> driver.controller().controller().listAllSnapshots(all, context));
            listing.entries().forEach(entry -> ids.add(entry.getSnapshot().getSnapshotId()));
            console.result(Console.count(ids.size(), "snapshot"));
        }
        return ids;
    }

    /**
     * The leaks.
     *
     * @param before ids of volumes that existed before the run
     * @param volumes ids of volumes that must be gone
     * @param snapshots ids of snapshots that must be gone
     * @param repeated whether a CreateVolume call may have been repeated
     * @param directories of the run
     */
    List<String> leaks(
            Set<String> before,
            Set<String> volumes,
            Set<String> snapshots,
            boolean repeated,
            Collection<Path> directories) {
        List<String> leaks = new ArrayList<>();
        Set<String> listed = volumes();
        volumes.stream().filter(listed::contains).forEach(id -> leaks.add("the driver still lists volume " + id));
        if (repeated) {
            // other clients may use the driver too: a new volume is suspicious only after a repeated call
            listed.stream()
                    .filter(id -> !before.contains(id) && !volumes.contains(id))
                    .forEach(id -> leaks.add("volume " + id
                            + " has appeared, and CreateVolume was repeated: one name must stand for one volume"));
        }
        for (String id : volumes) {
            if (!listed.contains(id) && can.controller(RPC.Type.GET_VOLUME) && exists(id)) {
                leaks.add("the driver still has volume " + id);
            }
        }
        Set<String> cut = snapshots();
        snapshots.stream().filter(cut::contains).forEach(id -> leaks.add("the driver still lists snapshot " + id));
        for (Path directory : directories) {
            leaks.addAll(mounts(directory));
            leaks.addAll(files(directory));
        }
        return leaks;
    }

    /** Some drivers answer for a deleted volume and report it as abnormal; that is not a leak. */
    private boolean exists(String id) {
        try {
            boolean abnormal = driver.call(
                            id,
                            context -> driver.controller()
                                    .controller()
                                    .controllerGetVolume(
                                            ControllerGetVolumeRequest.newBuilder()
                                                    .setVolumeId(id)
                                                    .build(),
                                            context))
                    .getStatus()
                    .getVolumeCondition()
                    .getAbnormal();
            console.result(abnormal ? "abnormal" : "still there");
            return !abnormal;
        } catch (CsiException e) {
            if (e.provesAbsent()) {
                console.result("gone");
                return false;
            }
            throw e;
        }
    }

    private static List<String> mounts(Path directory) {
        try {
            return MountTable.below(directory).stream()
                    .map(mount -> "mounted at " + mount.at())
                    .toList();
        } catch (UncheckedIOException e) {
            return List.of(String.valueOf(e.getMessage()));
        }
    }

    private static List<String> files(Path directory) {
        if (!Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)) {
            return List.of();
        }
        try (Stream<Path> all = Files.walk(directory)) {
            return all.filter(path -> !path.equals(directory))
                    .map(path -> "left at " + path)
                    .toList();
        } catch (IOException | UncheckedIOException e) {
            return List.of("cannot look into " + directory + ": " + e.getMessage());
        }
    }
}
