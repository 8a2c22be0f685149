package io.volume4j.examples.csilifecycle;

import io.volume4j.csi.internal.client.Listing;
import io.volume4j.csi.internal.proto.ControllerGetVolumeHealthRequest;
import io.volume4j.csi.internal.proto.ControllerListVolumeHealthRequest;
import io.volume4j.csi.internal.proto.NodeGetStorageHealthRequest;
import io.volume4j.csi.internal.proto.NodeGetStorageHealthResponse.StorageBackendHealth;
import io.volume4j.csi.internal.proto.NodeGetVolumeHealthRequest;
import io.volume4j.csi.internal.proto.VolumeHealth;
import io.volume4j.csi.internal.proto.VolumeHealth.VolumeHealthEntry;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Checks the driver's health reports for volumes and storage (CSI 1.13). A volume may be abnormal, so a status is not a failure; an
 * unusable answer is one.
 */
final class HealthQuestions {
    private final Driver driver;
    private final Abilities can;
    private final Requests requests;
    private final Console console;

    /** Whether the controller has reported the volume as abnormal. */
    private boolean abnormal;

    HealthQuestions(Driver driver, Abilities can, Requests requests, Console console) {
        this.driver = driver;
        this.can = can;
        this.requests = requests;
        this.console = console;
    }

    void ofController(Item item) {
        List<String> statuses = statuses(get(item));
        abnormal = !statuses.isEmpty();
        show(statuses);
    }

    private VolumeHealth get(Item item) {
        ControllerGetVolumeHealthRequest request = ControllerGetVolumeHealthRequest.newBuilder()
                .setVolumeId(item.id())
                .putAllSecrets(requests.secrets())
                .build();
        return driver.call(
                        item.id(),
                        context -> driver.controller().controller().controllerGetVolumeHealth(request, context))
                .getVolumeHealth();
    }

    /** A list may miss a volume whose health changes meanwhile; it must only contain what is the same before and after. */
    void list(Item item) {
        ControllerListVolumeHealthRequest all = ControllerListVolumeHealthRequest.newBuilder()
                .putAllSecrets(requests.secrets())
                .build();
        Listing<VolumeHealth> listing = driver.call(
                "all volumes", context -> driver.controller().controller().listAllVolumeHealth(all, context));
        if (!listing.complete()) {
            throw new Failed(
                    "the list of the health of volumes does not end",
                    "the last page must have an empty next_token, and no page the token that was sent");
        }
        listing.entries().forEach(HealthQuestions::statuses);
        console.result(Console.count(listing.entries().size(), "volume"));
        boolean listed = listing.entries().stream()
                .anyMatch(each -> each.getVolumeId().equals(item.id()) && each.getHealthStatusesCount() > 0);
        if (abnormal && !listed && get(item).getHealthStatusesCount() > 0) {
            throw new Failed(
                    "ControllerGetVolumeHealth calls volume " + item.id()
                            + " abnormal, and ControllerListVolumeHealth does not list it",
                    "only volumes that are well may be left out of the list");
        }
    }

    void ofNode(Item item) {
        NodeGetVolumeHealthRequest.Builder request = NodeGetVolumeHealthRequest.newBuilder()
                .setVolumeId(item.id())
                .setVolumePublishPath(item.target().toString());
        if (can.stage()) {
            request.setStagingTargetPath(item.staging().toString());
        }
        show(statuses(driver.call(
                        item.id(), context -> driver.node().node().nodeGetVolumeHealth(request.build(), context))
                .getVolumeHealth()));
    }

    void ofStorage() {
        NodeGetStorageHealthRequest request = NodeGetStorageHealthRequest.newBuilder()
                .putAllSecrets(requests.secrets())
                .build();
        List<StorageBackendHealth> told = driver.call(
                        "", context -> driver.node().node().nodeGetStorageHealth(request, context))
                .getBackendHealthList();
        Set<List<Object>> seen = new HashSet<>();
        for (StorageBackendHealth each : told) {
            demand(
                    each.getStatusValue(),
                    each.getReason(),
                    seen.add(List.of(each.getStatusValue(), each.getReason(), each.getVolumeCapability())));
        }
        show(told.stream()
                .map(each -> each.getReason() + " (status " + each.getStatusValue() + ")")
                .toList());
    }

    private static List<String> statuses(VolumeHealth told) {
        Set<List<Object>> seen = new HashSet<>();
        for (VolumeHealthEntry each : told.getHealthStatusesList()) {
            demand(each.getStatusValue(), each.getReason(), seen.add(List.of(each.getStatusValue(), each.getReason())));
        }
        return told.getHealthStatusesList().stream()
                .map(each -> each.getReason() + " (status " + each.getStatusValue() + ")")
                .collect(Collectors.toList());
    }

    private static void demand(int status, String reason, boolean first) {
        if (status == 0) {
            throw new Failed("a status of health is not set", "status is a required field");
        }
        if (reason.isEmpty()) {
            throw new Failed(
                    "status " + status + " of health has no reason",
                    "reason is a required field: a short CamelCase word");
        }
        if (!first) {
            throw new Failed(
                    "status " + status + " of health with reason " + reason + " is told twice",
                    "tell each pair of status and reason once");
        }
    }

    private void show(List<String> statuses) {
        console.result(statuses.isEmpty() ? "well" : String.join(", ", statuses));
    }
}
