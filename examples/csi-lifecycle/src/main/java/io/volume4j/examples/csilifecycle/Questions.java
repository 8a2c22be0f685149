package io.volume4j.examples.csilifecycle;

import io.grpc.Status.Code;
import io.volume4j.csi.internal.client.CsiException;
import io.volume4j.csi.internal.proto.CapacityRange;
import io.volume4j.csi.internal.proto.ControllerExpandVolumeRequest;
import io.volume4j.csi.internal.proto.CreateVolumeRequest;
import io.volume4j.csi.internal.proto.CreateVolumeResponse;
import io.volume4j.csi.internal.proto.GetPluginInfoRequest;
import io.volume4j.csi.internal.proto.ListVolumesRequest;
import io.volume4j.csi.internal.proto.ListVolumesResponse;
import io.volume4j.csi.internal.proto.NodeGetInfoRequest;
import io.volume4j.csi.internal.proto.NodeGetInfoResponse;
import io.volume4j.csi.internal.proto.ProbeRequest;
import io.volume4j.csi.internal.proto.ProbeResponse;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Checks that no later step needs: the driver's identity, and repeated calls. */
final class Questions {
    /** A second volume that a driver creates for the same name. */
    static final String TWIN = "twin";

    private static final int LONGEST_NAME = 63;
    private static final int LONGEST_NODE_ID = 256;
    private static final Pattern DOMAIN_NAME = Pattern.compile("[A-Za-z0-9]([-A-Za-z0-9.]*[A-Za-z0-9])?");

    private final Driver driver;
    private final Requests requests;
    private final Ledger ledger;
    private final Undo undo;

    Questions(Driver driver, Requests requests, Ledger ledger, Undo undo) {
        this.driver = driver;
        this.requests = requests;
        this.ledger = ledger;
        this.undo = undo;
    }

    void pluginInfo() {
        String name = name(false);
        if (name.length() > LONGEST_NAME || !DOMAIN_NAME.matcher(name).matches()) {
            throw new Failed(
                    "GetPluginInfo calls the driver '" + name + "', which is no domain name of at most " + LONGEST_NAME
                            + " characters",
                    "");
        }
        String other = driver.hasTwoSides() ? name(true) : name;
        if (!name.equals(other)) {
            throw new Failed("the node's side calls itself " + other + ", the controller's " + name, "");
        }
    }

    private String name(boolean node) {
        return driver.call(
                        "",
                        context -> (node ? driver.node() : driver.controller())
                                .identity()
                                .getPluginInfo(GetPluginInfoRequest.getDefaultInstance(), context))
                .getName();
    }

    void probe() {
        ProbeResponse reply = driver.call(
                "", context -> driver.controller().identity().probe(ProbeRequest.getDefaultInstance(), context));
        if (reply.hasReady() && !reply.getReady().getValue()) {
            throw new Failed("Probe says that the driver is not ready any more", "");
        }
    }

    void nodeInfo(@Nullable NodeGetInfoResponse before) {
        NodeGetInfoResponse info = driver.call(
                "", context -> driver.node().node().nodeGetInfo(NodeGetInfoRequest.getDefaultInstance(), context));
        int bytes = info.getNodeId().getBytes(StandardCharsets.UTF_8).length;
        if (bytes == 0 || bytes > LONGEST_NODE_ID) {
            throw new Failed("NodeGetInfo gives a node_id of " + bytes + " bytes", "");
        }
        if (before != null && !before.getNodeId().equals(info.getNodeId())) {
            throw new Failed(
                    "NodeGetInfo has called the node " + before.getNodeId() + " and calls it " + info.getNodeId(),
                    "volumes are attached by that id: it must stay");
        }
    }

    /** Returns no ids: if the driver creates a second volume, the check fails and deletes it. */
    Set<String> createAgain(Item item) {
        return demandNoTwin(item, request(item));
    }

    Set<String> createOther(Item item) {
        CreateVolumeRequest larger = request(item).toBuilder()
                .setCapacityRange(CapacityRange.newBuilder().setRequiredBytes(2 * item.bytes()))
                .build();
        try {
            demandNoTwin(item, larger);
        } catch (CsiException e) {
            Refusals.demand(Code.ALREADY_EXISTS, e);
            return Set.of();
        }
        throw new Failed(
                "CreateVolume of " + Console.size(2 * item.bytes()) + " says OK for a name that stands for "
                        + Console.size(item.bytes()),
                "a name that is taken must be refused with ALREADY_EXISTS if the volume does not fit the request");
    }

    private CreateVolumeRequest request(Item item) {
        return ledger.get("volume." + item.key() + ".request", CreateVolumeRequest.parser())
                .orElseThrow();
    }

    /** Deletes a volume with another id at once. */
    private Set<String> demandNoTwin(Item item, CreateVolumeRequest request) {
        String key = "volume." + TWIN;
        ledger.begin(key + ".request", request);
        String id = item.id();
        try {
            id = driver.createVolume(request).getVolumeId();
        } catch (CsiException e) {
            id = e.reply()
                    .map(reply -> reply instanceof CreateVolumeResponse made
                            ? made.getVolume().getVolumeId()
                            : "")
                    .filter(made -> !made.isEmpty())
                    .orElse(item.id());
            throw e;
        } finally {
            if (id.equals(item.id())) {
                ledger.remove(key);
            } else {
                ledger.learn(key + ".id", id);
            }
        }
        if (!id.equals(item.id())) {
            undo.delete(TWIN);
            throw new Failed(
                    "CreateVolume has made a second volume " + id + " of the name " + request.getName() + ", which is "
                            + item.id(),
                    "one name must stand for one volume");
        }
        return Set.of();
    }

    /** There are at least two volumes, both of this run. */
    void listPage() {
        ListVolumesResponse page = driver.call(
                "one volume",
                context -> driver.controller()
                        .controller()
                        .listVolumes(
                                ListVolumesRequest.newBuilder().setMaxEntries(1).build(), context));
        if (page.getEntriesCount() > 1 || page.getNextToken().isEmpty()) {
            throw new Failed(
                    "ListVolumes with max_entries 1 gives "
                            + Console.count(page.getEntriesCount(), "volume")
                            + (page.getNextToken().isEmpty() ? " and no next_token, and there are two" : ""),
                    "a CO that reads page by page misses volumes, or gets more than it can take");
        }
    }

    /** A driver that expands volumes only offline may refuse. */
    void expandAgain(Item item) {
        ControllerExpandVolumeRequest request = ControllerExpandVolumeRequest.newBuilder()
                .setVolumeId(item.id())
                .setCapacityRange(CapacityRange.newBuilder().setRequiredBytes(item.bytes()))
                .setVolumeCapability(requests.capability())
                .putAllSecrets(requests.secrets())
                .build();
        try {
            long bytes = driver.call(
                            item.id(),
                            context -> driver.controller().controller().controllerExpandVolume(request, context))
                    .getCapacityBytes();
            if (bytes < item.bytes()) {
                throw new Failed(
                        "ControllerExpandVolume says " + Console.size(bytes) + " of a volume of "
                                + Console.size(item.bytes()),
                        "a volume that has the size already must keep it");
            }
        } catch (CsiException e) {
            Refusals.demand(Code.FAILED_PRECONDITION, e);
        }
    }
}
