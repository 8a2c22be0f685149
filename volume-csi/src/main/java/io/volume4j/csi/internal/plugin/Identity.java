package io.volume4j.csi.internal.plugin;

import io.grpc.Status.Code;
import io.volume4j.csi.CsiNodes.CsiNode;
import io.volume4j.csi.internal.client.CsiException;
import io.volume4j.csi.internal.proto.ControllerServiceCapability;
import io.volume4j.csi.internal.proto.GroupControllerServiceCapability;
import io.volume4j.csi.internal.proto.NodeGetInfoResponse;
import io.volume4j.csi.internal.proto.NodeServiceCapability;
import io.volume4j.csi.internal.proto.PluginCapability.Service;
import io.volume4j.csi.internal.proto.ProbeRequest;
import io.volume4j.csi.internal.proto.ProbeResponse;
import io.volume4j.csi.internal.rules.DriverCapabilities;
import io.volume4j.spi.CallContext;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.plugin.VolumeSpec;
import java.util.SortedSet;
import java.util.TreeSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The plugin's capabilities, from those of the driver, and the driver's readiness. Thread-safe. */
public final class Identity {
    private static final Logger LOG = LoggerFactory.getLogger(Identity.class);

    private final Driver driver;

    public Identity(Driver driver) {
        this.driver = driver;
    }

    /** Creates a description of the driver. */
    @FunctionalInterface
    public interface Description<T> {
        T of(String name, String vendorVersion, SortedSet<String> capabilities);
    }

    public <T> T info(Description<T> description) {
        DriverCapabilities now = driver.capabilities();
        SortedSet<String> names = new TreeSet<>();
        now.services().forEach(service -> names.add(service.name()));
        now.expansion().forEach(type -> names.add("VolumeExpansion." + type.name()));
        now.controller().ifPresent(set -> set.forEach(type -> names.add("controller." + type.name())));
        now.node().ifPresent(set -> set.forEach(type -> names.add("node." + type.name())));
        now.group().ifPresent(set -> set.forEach(type -> names.add("group." + type.name())));
        names.removeIf(name -> name.endsWith("UNRECOGNIZED") || name.endsWith(".UNKNOWN") || name.equals("UNKNOWN"));
        return description.of(now.name(), now.vendorVersion(), names);
    }

    /**
     * Whether the driver is ready. If another process answers, this also asks for its capabilities: they decide which calls are made at
     * all, and otherwise perhaps no call would ask.
     */
    public boolean probe(CallContext context) {
        boolean ready = ready(context);
        if (ready) {
            learn(() -> driver.learnNode(context));
            learn(() -> driver.learnController(context));
        }
        return ready;
    }

    /** Asks for capabilities. A failure says nothing about the driver's readiness; the next call asks again. */
    private void learn(Runnable question) {
        try {
            question.run();
        } catch (VolumeException notTold) {
            LOG.atDebug()
                    .addKeyValue("driver", driver.name())
                    .addKeyValue("error", notTold.getMessage())
                    .log("capabilities not read after a probe");
        }
    }

    /** An absent answer means ready, and so does a driver without the call. */
    private boolean ready(CallContext context) {
        try {
            ProbeResponse told = driver.node().identity().probe(ProbeRequest.getDefaultInstance(), context);
            return !told.hasReady() || told.getReady().getValue();
        } catch (CsiException e) {
            if (e.answered(Code.UNIMPLEMENTED)) {
                return true;
            }
            throw e.toVolumeException();
        }
    }

    public CsiNode node(CallContext context) {
        NodeGetInfoResponse told = driver.identity().refresh(context);
        return new CsiNode(
                driver.host().nodeName(),
                told.getNodeId(),
                told.getAccessibleTopology().getSegmentsMap(),
                told.getMaxVolumesPerNode());
    }

    public boolean provisions() {
        return driver.has(ControllerServiceCapability.RPC.Type.CREATE_DELETE_VOLUME);
    }

    public boolean copies() {
        return driver.has(ControllerServiceCapability.RPC.Type.CLONE_VOLUME) || snapshots();
    }

    public boolean attaches(VolumeSpec spec) {
        return driver.attaches(spec);
    }

    public boolean stages() {
        return driver.has(NodeServiceCapability.RPC.Type.STAGE_UNSTAGE_VOLUME);
    }

    /** Volumes can be expanded if controller or node can do it. */
    public boolean expands() {
        return driver.has(ControllerServiceCapability.RPC.Type.EXPAND_VOLUME)
                || (expandsOnNode() && driver.capabilities().lacks(ControllerServiceCapability.RPC.Type.EXPAND_VOLUME));
    }

    /**
     * A driver with separate node sockets does not report its node capabilities here. If it expands volumes at the backend, it reports for
     * each volume whether the node must expand too. The plugin must not drop that report: the node that mounts the volume later takes the
     * size from the claim.
     */
    public boolean expandsOnNode() {
        return driver.has(NodeServiceCapability.RPC.Type.EXPAND_VOLUME)
                || (!servesNode() && driver.has(ControllerServiceCapability.RPC.Type.EXPAND_VOLUME));
    }

    public boolean snapshots() {
        return driver.has(ControllerServiceCapability.RPC.Type.CREATE_DELETE_SNAPSHOT);
    }

    public boolean groups() {
        return driver.has(Service.Type.GROUP_CONTROLLER_SERVICE)
                && driver.capabilities()
                        .has(GroupControllerServiceCapability.RPC.Type.CREATE_DELETE_GET_VOLUME_GROUP_SNAPSHOT);
    }

    public boolean metadata() {
        return driver.has(Service.Type.SNAPSHOT_METADATA_SERVICE);
    }

    public boolean lists() {
        return driver.has(ControllerServiceCapability.RPC.Type.LIST_VOLUMES);
    }

    public boolean modifies() {
        return driver.has(ControllerServiceCapability.RPC.Type.MODIFY_VOLUME);
    }

    public boolean tellsCapacity() {
        return driver.has(ControllerServiceCapability.RPC.Type.GET_CAPACITY);
    }

    public boolean hasPlaces() {
        return driver.has(Service.Type.VOLUME_ACCESSIBILITY_CONSTRAINTS) && servesNode();
    }

    public boolean servesNode() {
        return driver.capabilities().node().isPresent();
    }

    public boolean tellsUsage() {
        return driver.has(NodeServiceCapability.RPC.Type.GET_VOLUME_STATS);
    }

    public boolean tellsHealth() {
        return driver.saysHealthOnController()
                || driver.listsHealth()
                || driver.saysHealthOnNode()
                || driver.has(NodeServiceCapability.RPC.Type.GET_STORAGE_HEALTH);
    }
}
