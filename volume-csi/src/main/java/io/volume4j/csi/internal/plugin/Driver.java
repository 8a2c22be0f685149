package io.volume4j.csi.internal.plugin;

import io.volume4j.csi.CsiDriverPolicy;
import io.volume4j.csi.CsiNodes;
import io.volume4j.csi.CsiObjects;
import io.volume4j.csi.internal.client.CsiClient;
import io.volume4j.csi.internal.client.CsiException;
import io.volume4j.csi.internal.proto.ControllerServiceCapability;
import io.volume4j.csi.internal.proto.NodeServiceCapability;
import io.volume4j.csi.internal.proto.PluginCapability;
import io.volume4j.csi.internal.rules.DriverCapabilities;
import io.volume4j.spi.CallContext;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.model.CsiDriver;
import io.volume4j.spi.plugin.PluginHost;
import io.volume4j.spi.plugin.VolumeSpec;
import java.util.EnumSet;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** State that all capabilities of one driver share: its clients, its capabilities, and the host's settings. Thread-safe. */
public final class Driver {
    private final String name;
    private final CsiClient controller;
    private final CsiClient node;
    private final CsiDriverPolicy policy;
    private final CsiNodes nodes;
    private final CsiObjects objects;
    private final CallLanes controllerLanes;
    private final CallLanes nodeLanes;
    /** The node calls that only read: calls that hang because of a volume must leave room for its teardown. */
    private final CallLanes questionLanes;

    private final NodeIdentity identity;
    private final Departures departures = new Departures();
    private final OfflineOnly growsAfterUnpublish = new OfflineOnly();
    private final Notes modifications;
    private volatile DriverCapabilities capabilities;
    private volatile @Nullable PluginHost host;

    /**
     * Asks the driver for its name and its capabilities.
     *
     * @param controller the same client as for the node if one socket serves both
     * @throws VolumeException if the driver does not answer, or the sockets belong to different drivers
     */
    public static Driver connect(CsiClient controller, CsiClient node, Settings settings, CallContext context) {
        DriverCapabilities ofNode = translated(() -> node.capabilities(context));
        DriverCapabilities ofController = translated(() -> controller.capabilities(context));
        if (!ofNode.name().equals(ofController.name())) {
            throw VolumeException.finalFailure("%s is driver %s, but %s is driver %s"
                            .formatted(node.describe(), ofNode.name(), controller.describe(), ofController.name()))
                    .withAdvice("give the sockets of one driver");
        }
        return new Driver(controller, node, settings, merged(ofController, ofNode));
    }

    private Driver(CsiClient controller, CsiClient node, Settings settings, DriverCapabilities capabilities) {
        this.name = capabilities.name();
        this.controller = controller;
        this.node = node;
        this.policy = settings.policy();
        this.nodes = settings.nodes();
        this.objects = settings.objects();
        this.controllerLanes = new CallLanes(settings.maxControllerCalls(), settings.maxControllerCallsPerNode());
        this.nodeLanes = controllerLanes.beside(settings.maxNodeCalls());
        this.questionLanes = new CallLanes(Math.max(1, settings.maxNodeCalls() / 2));
        this.identity = new NodeIdentity(node);
        this.modifications = new Notes(this::host, name, "modifications");
        this.capabilities = capabilities;
    }

    /** The host's settings for a driver. */
    public record Settings(
            CsiDriverPolicy policy,
            CsiNodes nodes,
            CsiObjects objects,
            int maxControllerCalls,
            int maxControllerCallsPerNode,
            int maxNodeCalls) {}

    public String name() {
        return name;
    }

    public void init(PluginHost newHost) {
        host = newHost;
    }

    public PluginHost host() {
        return Objects.requireNonNull(host, "the plugin was not initialised: call init(host) first");
    }

    public CsiClient controller() {
        return controller;
    }

    public CsiClient node() {
        return node;
    }

    public CsiDriverPolicy policy() {
        return policy;
    }

    CsiNodes nodes() {
        return nodes;
    }

    CsiObjects objects() {
        return objects;
    }

    CallLanes controllerLanes() {
        return controllerLanes;
    }

    CallLanes nodeLanes() {
        return nodeLanes;
    }

    CallLanes questionLanes() {
        return questionLanes;
    }

    /** Listeners for the deletion of snapshots. */
    public Departures departures() {
        return departures;
    }

    /**
     * Volumes that the driver refused to expand on this node while a pod uses them, and that it cannot expand without a pod: it knows
     * them only where they are published. The refusal ends when a pod gives the volume up.
     */
    OfflineOnly growsAfterUnpublish() {
        return growsAfterUnpublish;
    }

    /** The parameters of each modification with an unknown outcome, by the handle of the volume. */
    Notes modifications() {
        return modifications;
    }

    NodeIdentity identity() {
        return identity;
    }

    /** The last known capabilities of the driver. Never blocks. */
    public DriverCapabilities capabilities() {
        Optional<DriverCapabilities> ofNode = node.lastKnownCapabilities();
        Optional<DriverCapabilities> ofController = controller.lastKnownCapabilities();
        if (ofNode.isPresent() && ofController.isPresent()) {
            capabilities = merged(ofController.get(), ofNode.get());
        }
        return capabilities;
    }

    /**
     * Asks the driver for its capabilities if another process may be at its node socket. The capabilities decide what a call to the node
     * contains, and the driver may have been updated or rolled back since its last call. Without a new process this makes no call.
     */
    void learnNode(CallContext context) {
        translated(() -> node.capabilities(context));
    }

    /** The same for the controller socket. Its capabilities decide also whether a call is made at all. */
    void learnController(CallContext context) {
        translated(() -> controller.capabilities(context));
    }

    boolean has(ControllerServiceCapability.RPC.Type capability) {
        return capabilities().has(capability);
    }

    boolean has(NodeServiceCapability.RPC.Type capability) {
        return capabilities().has(capability);
    }

    /** Whether the node service reports the health of volumes, with the calls of CSI 1.13 or 1.12. */
    boolean saysHealthOnNode() {
        return has(NodeServiceCapability.RPC.Type.GET_VOLUME_HEALTH)
                || has(NodeServiceCapability.RPC.Type.VOLUME_CONDITION);
    }

    /** Whether the controller service reports the health of a volume, with the calls of CSI 1.13 or 1.12. */
    boolean saysHealthOnController() {
        return answersForHealth()
                || (has(ControllerServiceCapability.RPC.Type.VOLUME_CONDITION)
                        && has(ControllerServiceCapability.RPC.Type.GET_VOLUME));
    }

    /** A driver that lists health must also answer for a single volume, even if it does not report that capability. */
    boolean answersForHealth() {
        return has(ControllerServiceCapability.RPC.Type.GET_VOLUME_HEALTH)
                || has(ControllerServiceCapability.RPC.Type.LIST_VOLUME_HEALTH);
    }

    /** Whether the driver lists the health of its volumes, with the calls of CSI 1.13 or 1.12. */
    boolean listsHealth() {
        return has(ControllerServiceCapability.RPC.Type.LIST_VOLUME_HEALTH)
                || (!answersForHealth()
                        && has(ControllerServiceCapability.RPC.Type.VOLUME_CONDITION)
                        && has(ControllerServiceCapability.RPC.Type.LIST_VOLUMES));
    }

    boolean has(PluginCapability.Service.Type capability) {
        return capabilities().has(capability);
    }

    /** The driver's settings for the volume. */
    public CsiDriver.Spec settings(VolumeSpec spec) {
        CsiDriver.Spec known = spec.driver();
        return known == null ? settings(Optional.empty()) : known;
    }

    /** The driver's settings from its CSIDriver object, if there is one. */
    public CsiDriver.Spec settings(Optional<CsiDriver.Spec> object) {
        return policy.over(object.orElseGet(() -> CsiDriver.Spec.defaults().toBuilder()
                .attachRequired(attachesByItself())
                .build()));
    }

    /**
     * Whether the driver has the capability. If the controller's capabilities are unknown at this endpoint, the answer is yes, as
     * for most drivers.
     */
    private boolean attachesByItself() {
        return capabilities().has(PluginCapability.Service.Type.CONTROLLER_SERVICE)
                && !capabilities().lacks(ControllerServiceCapability.RPC.Type.PUBLISH_UNPUBLISH_VOLUME);
    }

    /**
     * Whether volumes must be attached before they are mounted: the host's setting decides, then the CSIDriver object. A driver
     * whose controller service is known to have no attach call needs no attachment. A socket without that service proves
     * nothing: some drivers leave it out at their nodes' sockets, and their controllers attach. A node that did not wait would
     * have the volume mounted while its controller detaches it.
     */
    boolean attaches(VolumeSpec spec) {
        return policy.attachRequired()
                .orElseGet(() -> settings(spec).attachRequired()
                        && !(has(PluginCapability.Service.Type.CONTROLLER_SERVICE)
                                && capabilities()
                                        .lacks(ControllerServiceCapability.RPC.Type.PUBLISH_UNPUBLISH_VOLUME)));
    }

    /**
     * Whether an attachment needs no call: only the CSIDriver object demands it, and the driver has no controller service. The
     * external-attacher of Kubernetes attaches volumes of such drivers in this way, too.
     */
    boolean attachesWithoutCall() {
        return policy.attachRequired().isEmpty() && !has(PluginCapability.Service.Type.CONTROLLER_SERVICE);
    }

    /** Runs calls to the driver and converts their failures to exceptions of the plugin interface. */
    static <T> T translated(Supplier<T> calls) {
        try {
            return calls.get();
        } catch (CsiException e) {
            throw e.toVolumeException();
        }
    }

    private static DriverCapabilities merged(DriverCapabilities ofController, DriverCapabilities ofNode) {
        if (ofController.equals(ofNode)) {
            return ofNode;
        }
        Set<PluginCapability.Service.Type> services = EnumSet.noneOf(PluginCapability.Service.Type.class);
        services.addAll(ofController.services());
        services.addAll(ofNode.services());
        Set<PluginCapability.VolumeExpansion.Type> expansion =
                EnumSet.noneOf(PluginCapability.VolumeExpansion.Type.class);
        expansion.addAll(ofController.expansion());
        expansion.addAll(ofNode.expansion());
        return new DriverCapabilities(
                ofController.name(),
                ofController.vendorVersion(),
                services,
                expansion,
                ofController.controller(),
                ofNode.node(),
                ofController.group());
    }
}
