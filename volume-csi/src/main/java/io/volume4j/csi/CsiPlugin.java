package io.volume4j.csi;

import io.grpc.Channel;
import io.volume4j.csi.internal.client.CsiClient;
import io.volume4j.csi.internal.plugin.AttachSide;
import io.volume4j.csi.internal.plugin.ChangeSide;
import io.volume4j.csi.internal.plugin.ControllerSide;
import io.volume4j.csi.internal.plugin.Departures;
import io.volume4j.csi.internal.plugin.Driver;
import io.volume4j.csi.internal.plugin.GroupSide;
import io.volume4j.csi.internal.plugin.Identity;
import io.volume4j.csi.internal.plugin.MetadataSide;
import io.volume4j.csi.internal.plugin.NodeSide;
import io.volume4j.csi.internal.plugin.Sightings;
import io.volume4j.csi.internal.plugin.SnapshotSide;
import io.volume4j.csi.internal.plugin.SpecRules;
import io.volume4j.csi.internal.plugin.UsageSide;
import io.volume4j.csi.internal.plugin.VolumeInventory;
import io.volume4j.spi.CallContext;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.model.AccessMode;
import io.volume4j.spi.model.CsiDriver;
import io.volume4j.spi.model.StorageClass;
import io.volume4j.spi.model.VolumeMode;
import io.volume4j.spi.plugin.Attacher;
import io.volume4j.spi.plugin.BlockMapper;
import io.volume4j.spi.plugin.BlockUnmapper;
import io.volume4j.spi.plugin.CapacityReporter;
import io.volume4j.spi.plugin.Deleter;
import io.volume4j.spi.plugin.Detacher;
import io.volume4j.spi.plugin.DeviceMounter;
import io.volume4j.spi.plugin.DeviceUnmounter;
import io.volume4j.spi.plugin.Expander;
import io.volume4j.spi.plugin.GroupSnapshotter;
import io.volume4j.spi.plugin.HealthReporter;
import io.volume4j.spi.plugin.Inventory;
import io.volume4j.spi.plugin.LimitsReporter;
import io.volume4j.spi.plugin.Modifier;
import io.volume4j.spi.plugin.Mounter;
import io.volume4j.spi.plugin.NodeExpander;
import io.volume4j.spi.plugin.NodeReporter;
import io.volume4j.spi.plugin.NodeReporter.NodeInfo;
import io.volume4j.spi.plugin.Observer;
import io.volume4j.spi.plugin.PluginHost;
import io.volume4j.spi.plugin.Provisioner;
import io.volume4j.spi.plugin.SnapshotMetadata;
import io.volume4j.spi.plugin.Snapshotter;
import io.volume4j.spi.plugin.StatsReporter;
import io.volume4j.spi.plugin.TopologyReporter;
import io.volume4j.spi.plugin.Unmounter;
import io.volume4j.spi.plugin.VolumePlugin;
import io.volume4j.spi.plugin.VolumeSpec;
import java.util.List;
import java.util.Optional;

/**
 * A CSI driver as a plugin. It has every capability that the driver reports, and calls the driver over its socket.
 * The plugin has the name of the driver.
 *
 * <pre>{@code
 * CsiPlugin plugin = CsiPlugin.at(CsiEndpoint.parse("unix:///run/driver/csi.sock")).connect(Duration.ofSeconds(30));
 * registry.add(plugin);
 * }</pre>
 *
 * <p>The plugin reads the driver's capabilities at its first call over each new connection. Therefore capabilities may
 * change. Thread-safe. Close the plugin after removing it from its registry;
 * running calls get a short time to end.
 *
 * @since 0.1.0
 */
public final class CsiPlugin implements VolumePlugin, AutoCloseable {
    private final Driver driver;
    private final int maxConcurrentCalls;
    private final List<AutoCloseable> closing;
    private final ControllerSide controller;
    private final AttachSide attach;
    private final ChangeSide change;
    private final NodeSide node;
    private final UsageSide usage;
    private final Sightings sightings;
    private final Identity identity;

    CsiPlugin(Driver driver, int maxConcurrentCalls, List<AutoCloseable> closing) {
        this.driver = driver;
        this.maxConcurrentCalls = maxConcurrentCalls;
        this.closing = List.copyOf(closing);
        this.sightings = new Sightings(driver);
        this.change = new ChangeSide(driver);
        this.controller = new ControllerSide(driver, sightings, change);
        this.attach = new AttachSide(driver, sightings);
        this.node = new NodeSide(driver);
        this.usage = new UsageSide(driver);
        this.identity = new Identity(driver);
    }

    /**
     * A builder for a driver at this socket. If the driver's controller has another socket, call
     * {@link CsiPluginBuilder#controller}.
     */
    public static CsiPluginBuilder at(CsiEndpoint endpoint) {
        return new CsiPluginBuilder(endpoint, null);
    }

    /**
     * A builder for a driver over a gRPC channel of the host. The host opens and closes the channel, and is
     * responsible for the trust in its peer.
     */
    public static CsiPluginBuilder over(Channel channel) {
        return new CsiPluginBuilder(null, channel);
    }

    /** The identity and capabilities that the driver last reported. Does not block. */
    public CsiDriverInfo driver() {
        return identity.info(CsiDriverInfo::new);
    }

    /**
     * Whether the driver is ready. A driver that is not ready is still starting; the host must not restart it.
     * @return false while it is initialising
     * @throws io.volume4j.spi.VolumeException if it is unhealthy or does not answer
     */
    public boolean probe(CallContext context) {
        return identity.probe(context);
    }

    /**
     * Asks the driver for its report on its node.
     * @throws io.volume4j.spi.VolumeException if it does not answer, or has no node service at this socket
     */
    public CsiNodes.CsiNode nodeInfo(CallContext context) {
        return identity.node(context);
    }

    @Override
    public String name() {
        return driver.name();
    }

    @Override
    public void init(PluginHost host) {
        driver.init(host);
    }

    @Override
    public boolean runsPrograms() {
        return false;
    }

    @Override
    public boolean supports(VolumeSpec spec) {
        return SpecRules.supports(spec, driver.name());
    }

    @Override
    public String volumeName(VolumeSpec spec) {
        return SpecRules.name(spec);
    }

    /** False for an inline volume, which belongs to one pod. */
    @Override
    public boolean shared(VolumeSpec spec) {
        return !SpecRules.inline(spec);
    }

    /**
     * The settings of the object, or the defaults of Kubernetes if there is no object. The host's
     * {@link CsiDriverPolicy} overrides both.
     */
    @Override
    public Optional<CsiDriver.Spec> driverSettings(Optional<CsiDriver.Spec> object) {
        return Optional.of(driver.settings(object));
    }

    @Override
    public int maxConcurrentCalls() {
        return maxConcurrentCalls;
    }

    @Override
    public boolean requiresRemount(VolumeSpec spec) {
        return driver.settings(spec).requiresRepublish();
    }

    @Override
    public boolean mountsWithSeLinuxLabel(VolumeSpec spec) {
        return driver.settings(spec).seLinuxMount();
    }

    @Override
    public boolean supportsMountOptions() {
        return true;
    }

    /** All access modes: CreateVolume decides which of them a volume supports. */
    @Override
    public List<AccessMode> accessModes() {
        return AccessMode.all();
    }

    @Override
    public List<VolumeMode> volumeModes() {
        return VolumeMode.all();
    }

    @Override
    public boolean fillsFromDataSource() {
        return identity.copies();
    }

    @Override
    public Optional<Provisioner> provisioner(StorageClass storageClass) {
        return storageClass.provisioner().equals(name()) && identity.provisions()
                ? Optional.of(controller::provision)
                : Optional.empty();
    }

    @Override
    public Optional<Deleter> deleter(VolumeSpec spec) {
        return identity.provisions() ? Optional.of(controller::delete) : Optional.empty();
    }

    @Override
    public Optional<Attacher> attacher(VolumeSpec spec) {
        return identity.attaches(spec) && !SpecRules.inline(spec) ? Optional.of(attach) : Optional.empty();
    }

    /** Always present: the library must be able to detach a volume even if the driver's capabilities have changed. */
    @Override
    public Optional<Detacher> detacher(VolumeId volume) {
        return volume.privateToPod() ? Optional.empty() : Optional.of(attach::detach);
    }

    @Override
    public Optional<DeviceMounter> deviceMounter(VolumeSpec spec) {
        return identity.stages() && !SpecRules.inline(spec) ? Optional.of(node::mountDevice) : Optional.empty();
    }

    /** Always present, for the same reason as {@link #detacher}. */
    @Override
    public Optional<DeviceUnmounter> deviceUnmounter(VolumeId volume) {
        return volume.privateToPod() ? Optional.empty() : Optional.of(node::unmountDevice);
    }

    @Override
    public Optional<Mounter> mounter(VolumeSpec spec) {
        return Optional.of(new Mounter() {
            @Override
            public MountResult mount(MountRequest request, CallContext context) {
                return node.mount(request, context);
            }

            @Override
            public boolean managesContent() {
                return !node.delegatesGroup() && managedContent();
            }

            @Override
            public boolean managedContent() {
                return spec.withDriver(driver.settings(spec)).groupByLibrary();
            }
        });
    }

    @Override
    public Optional<Unmounter> unmounter(VolumeId volume) {
        return Optional.of(node::unmount);
    }

    @Override
    public Optional<BlockMapper> blockMapper(VolumeSpec spec) {
        return SpecRules.inline(spec) ? Optional.empty() : Optional.of(node);
    }

    @Override
    public Optional<BlockUnmapper> blockUnmapper(VolumeId volume) {
        return Optional.of(node);
    }

    @Override
    public Optional<Expander> expander(VolumeSpec spec) {
        if (!identity.expands()) {
            return Optional.empty();
        }
        return Optional.of(new Expander() {
            @Override
            public ExpandResult expand(ExpandRequest request, CallContext context) {
                return change.expand(request, context);
            }

            @Override
            public boolean online() {
                return change.expandsOnline(spec);
            }
        });
    }

    @Override
    public Optional<NodeExpander> nodeExpander(VolumeSpec spec) {
        return identity.expandsOnNode() ? Optional.of(usage.expander(spec)) : Optional.empty();
    }

    @Override
    public Optional<Snapshotter> snapshotter() {
        return identity.snapshots() ? Optional.of(snapshots()) : Optional.empty();
    }

    SnapshotSide snapshots() {
        return new SnapshotSide(driver);
    }

    GroupSide groups() {
        return new GroupSide(driver);
    }

    Departures departures() {
        return driver.departures();
    }

    @Override
    public Optional<GroupSnapshotter> groupSnapshotter() {
        return identity.groups() ? Optional.of(groups()) : Optional.empty();
    }

    @Override
    public Optional<SnapshotMetadata> snapshotMetadata() {
        return identity.metadata() ? Optional.of(new MetadataSide(driver)) : Optional.empty();
    }

    @Override
    public Optional<Inventory> inventory() {
        return identity.lists() ? Optional.of(new VolumeInventory(driver)) : Optional.empty();
    }

    @Override
    public Optional<Modifier> modifier(VolumeSpec spec) {
        return identity.modifies() ? Optional.of(change::modify) : Optional.empty();
    }

    @Override
    public Optional<Observer> observer() {
        return sightings.possible() ? Optional.of(sightings::attachments) : Optional.empty();
    }

    @Override
    public Optional<CapacityReporter> capacity() {
        return identity.tellsCapacity() ? Optional.of(controller::capacity) : Optional.empty();
    }

    @Override
    public Optional<TopologyReporter> topology() {
        return identity.hasPlaces() ? Optional.of(context -> nodeInfo(context).segments()) : Optional.empty();
    }

    @Override
    public Optional<LimitsReporter> limits() {
        return identity.servesNode() ? Optional.of(context -> nodeInfo(context).maxVolumes()) : Optional.empty();
    }

    @Override
    public Optional<NodeReporter> nodeReporter() {
        return identity.servesNode() ? Optional.of(this::reported) : Optional.empty();
    }

    private NodeInfo reported(CallContext context) {
        CsiNodes.CsiNode node = nodeInfo(context);
        return new NodeInfo(node.nodeId(), node.segments(), node.maxVolumes());
    }

    @Override
    public Optional<StatsReporter> stats(VolumeSpec spec) {
        return identity.tellsUsage() ? Optional.of(usage::stats) : Optional.empty();
    }

    @Override
    public Optional<HealthReporter> health() {
        return identity.tellsHealth() ? Optional.of(usage.health()) : Optional.empty();
    }

    /** Closes the connections. Idempotent. */
    @Override
    public void close() {
        CsiPluginBuilder.closeAll(closing);
    }

    @Override
    public String toString() {
        return "CsiPlugin[" + name() + "]";
    }

    CsiClient controllerClient() {
        return driver.controller();
    }
}
