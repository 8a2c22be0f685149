package io.volume4j.inmemory.plugin;

import io.volume4j.inmemory.fault.FaultScript;
import io.volume4j.spi.CallContext;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.host.SecretResolver;
import io.volume4j.spi.model.AccessMode;
import io.volume4j.spi.model.CsiSource;
import io.volume4j.spi.model.OtherSource;
import io.volume4j.spi.model.StorageClass;
import io.volume4j.spi.model.VolumeMode;
import io.volume4j.spi.mount.MountBackend;
import io.volume4j.spi.plugin.Attacher;
import io.volume4j.spi.plugin.BlockMapper;
import io.volume4j.spi.plugin.BlockUnmapper;
import io.volume4j.spi.plugin.CapacityReporter;
import io.volume4j.spi.plugin.Deleter;
import io.volume4j.spi.plugin.Detacher;
import io.volume4j.spi.plugin.DeviceMounter;
import io.volume4j.spi.plugin.DeviceUnmounter;
import io.volume4j.spi.plugin.EffectModel;
import io.volume4j.spi.plugin.Expander;
import io.volume4j.spi.plugin.FormatAndMount;
import io.volume4j.spi.plugin.GroupSnapshotter;
import io.volume4j.spi.plugin.HealthReporter;
import io.volume4j.spi.plugin.LimitsReporter;
import io.volume4j.spi.plugin.Modifier;
import io.volume4j.spi.plugin.Mounter;
import io.volume4j.spi.plugin.NodeExpander;
import io.volume4j.spi.plugin.NodeReporter;
import io.volume4j.spi.plugin.Observer;
import io.volume4j.spi.plugin.PluginHost;
import io.volume4j.spi.plugin.Provisioner;
import io.volume4j.spi.plugin.Recycler;
import io.volume4j.spi.plugin.Snapshotter;
import io.volume4j.spi.plugin.StatsReporter;
import io.volume4j.spi.plugin.TopologyReporter;
import io.volume4j.spi.plugin.Unmounter;
import io.volume4j.spi.plugin.VolumePlugin;
import io.volume4j.spi.plugin.VolumeSpec;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The plugin of one process for an {@link InMemoryStorage}. It has every capability of the SPI that a test does not
 * switch off. Volumes are {@code csi} sources whose driver is the plugin's name. Thread-safe after {@link #init}.
 * Keeps no state that a restart must not lose.
 *
 * @since 0.1.0
 */
public final class InMemoryPlugin implements VolumePlugin {
    /** The default name of a plugin. */
    public static final String DEFAULT_NAME = "mem";

    private final String name;
    private final InMemoryStorage storage;
    private final CapabilitySwitch switches;
    private final boolean recordOnly;
    private final boolean formats;
    private final boolean fallback;
    private final boolean requiresRemount;
    private final boolean labels;
    private final boolean mountOptions;
    private final boolean dataSources;
    private final boolean growsOnline;
    private final boolean expandsOnline;
    private final boolean expandsBeforePods;
    private final @Nullable Long saysLimit;
    private final boolean registersNodes;
    private final List<Consumer<VolumeId>> remounts = new CopyOnWriteArrayList<>();
    private final EffectModel effectModel;
    private final int maxConcurrentCalls;
    private final List<AccessMode> accessModes;
    private final Calls calls;
    private final ControlSide control;
    private final GroupSide groups;
    private final SecretUse secrets;
    private volatile @Nullable PluginHost host;
    private volatile @Nullable NodeSide node;

    InMemoryPlugin(InMemoryPluginBuilder builder) {
        name = builder.name;
        storage = builder.storage;
        switches = new CapabilitySwitch(builder.capabilities);
        recordOnly = builder.recordOnly;
        formats = builder.formats;
        fallback = builder.fallback;
        requiresRemount = builder.requiresRemount;
        labels = builder.labels;
        mountOptions = builder.mountOptions;
        dataSources = builder.dataSources;
        growsOnline = builder.growsOnline;
        expandsOnline = builder.expandsOnline;
        expandsBeforePods = builder.expandsBeforePods;
        saysLimit = builder.saysLimit;
        registersNodes = builder.registersNodes;
        effectModel = builder.effectModel;
        maxConcurrentCalls = builder.maxConcurrentCalls;
        accessModes = builder.accessModes;
        calls = new Calls(builder.driver.isEmpty() ? name : builder.driver, storage);
        SecretResolver resolver = builder.resolver;
        secrets = new SecretUse(() -> resolver == null ? initialised(host).secrets() : resolver, builder.leaksSecrets);
        boolean asksForNodes = builder.asksForNodes;
        control = new ControlSide(
                name,
                storage,
                calls,
                secrets,
                () -> asksForNodes || switches.has(Capability.NODE_EXPAND),
                builder.tellsProgress);
        groups = new GroupSide(storage, calls);
    }

    /** A plugin for the storage, with every capability except {@link Capability#HEALTH_LIST}. */
    public static InMemoryPlugin on(InMemoryStorage storage) {
        return builder(storage).build();
    }

    public static InMemoryPluginBuilder builder(InMemoryStorage storage) {
        return new InMemoryPluginBuilder(storage);
    }

    public InMemoryStorage storage() {
        return storage;
    }

    /** The faults of the storage. */
    public FaultScript faults() {
        return storage.faults();
    }

    /** The calls to the storage, also those of other plugins. */
    public List<PluginCall> calls() {
        return storage.calls();
    }

    /** Adds or removes a capability, as a new registration of a driver does. */
    public void set(Capability capability, boolean present) {
        switches.set(capability, present);
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public void init(PluginHost host) {
        this.host = host;
        Optional<MountBackend> mounts = recordOnly ? Optional.empty() : host.mounts();
        Optional<FormatAndMount> disks = formats ? host.formatAndMount() : Optional.empty();
        node = new NodeSide(name, host.nodeName(), storage, calls, mounts, disks, secrets, switches);
    }

    @Override
    public boolean supports(VolumeSpec spec) {
        if (spec.source() instanceof CsiSource csi) {
            return csi.driver().equals(name);
        }
        return fallback
                && spec.persistentVolume() != null
                && spec.source() instanceof OtherSource other
                && other.type().isEmpty();
    }

    @Override
    public String volumeName(VolumeSpec spec) {
        String handle = Calls.handle(spec.name(), spec.source());
        if (handle.isEmpty()) {
            throw VolumeException.finalFailure("a volume of " + name + " needs a volumeHandle")
                    .withAdvice("set csi.volumeHandle");
        }
        return handle;
    }

    @Override
    public boolean shared(VolumeSpec spec) {
        return spec.persistentVolume() != null;
    }

    @Override
    public boolean requiresRemount(VolumeSpec spec) {
        return requiresRemount;
    }

    @Override
    public void onContentChange(Consumer<VolumeId> remount) {
        remounts.add(remount);
    }

    /** Reports that the volume's content changed: every node that uses this plugin sets it up again. */
    public void contentChanged(VolumeId volume) {
        remounts.forEach(remount -> remount.accept(volume));
    }

    @Override
    public boolean mountsWithSeLinuxLabel(VolumeSpec spec) {
        return labels;
    }

    @Override
    public EffectModel effectModel() {
        return effectModel;
    }

    @Override
    public int maxConcurrentCalls() {
        return maxConcurrentCalls;
    }

    @Override
    public List<VolumeMode> volumeModes() {
        return switches.has(Capability.BLOCK)
                ? List.of(VolumeMode.FILESYSTEM, VolumeMode.BLOCK)
                : List.of(VolumeMode.FILESYSTEM);
    }

    @Override
    public List<AccessMode> accessModes() {
        return accessModes;
    }

    @Override
    public Optional<Provisioner> provisioner(StorageClass storageClass) {
        return storageClass.provisioner().equals(name)
                ? given(Capability.PROVISION, () -> control::provision)
                : Optional.empty();
    }

    @Override
    public Optional<Deleter> deleter(VolumeSpec spec) {
        return given(Capability.DELETE, () -> control::delete);
    }

    @Override
    public Optional<Recycler> recycler(VolumeSpec spec) {
        return given(Capability.RECYCLE, () -> control::recycle);
    }

    @Override
    public Optional<Attacher> attacher(VolumeSpec spec) {
        return given(Capability.ATTACH, () -> control::attach);
    }

    @Override
    public Optional<Detacher> detacher(VolumeId volume) {
        return given(Capability.ATTACH, () -> control::detach);
    }

    @Override
    public Optional<DeviceMounter> deviceMounter(VolumeSpec spec) {
        return given(Capability.DEVICE_MOUNT, () -> node()::mountDevice);
    }

    @Override
    public Optional<DeviceUnmounter> deviceUnmounter(VolumeId volume) {
        return given(Capability.DEVICE_MOUNT, () -> node()::unmountDevice);
    }

    @Override
    public Optional<Mounter> mounter(VolumeSpec spec) {
        return given(Capability.MOUNT, () -> node()::mount);
    }

    @Override
    public Optional<Unmounter> unmounter(VolumeId volume) {
        return given(Capability.MOUNT, () -> node()::unmount);
    }

    @Override
    public Optional<BlockMapper> blockMapper(VolumeSpec spec) {
        return given(Capability.BLOCK, this::node);
    }

    @Override
    public Optional<BlockUnmapper> blockUnmapper(VolumeId volume) {
        return given(Capability.BLOCK, this::node);
    }

    @Override
    public Optional<Expander> expander(VolumeSpec spec) {
        return given(Capability.EXPAND, () -> new Expander() {
            @Override
            public ExpandResult expand(ExpandRequest request, CallContext context) {
                return control.expand(request, context);
            }

            @Override
            public boolean online() {
                return growsOnline;
            }
        });
    }

    @Override
    public Optional<NodeExpander> nodeExpander(VolumeSpec spec) {
        return given(Capability.NODE_EXPAND, () -> new NodeExpander() {
            @Override
            public NodeExpandResult expand(NodeExpandRequest request, CallContext context) {
                return node().expand(request, context);
            }

            @Override
            public boolean online() {
                return expandsOnline;
            }

            @Override
            public boolean beforePods() {
                return expandsBeforePods;
            }
        });
    }

    @Override
    public Optional<Snapshotter> snapshotter() {
        return given(Capability.SNAPSHOT, () -> control);
    }

    @Override
    public Optional<GroupSnapshotter> groupSnapshotter() {
        return given(Capability.GROUP_SNAPSHOT, () -> groups);
    }

    @Override
    public boolean supportsMountOptions() {
        return mountOptions;
    }

    @Override
    public boolean fillsFromDataSource() {
        return dataSources;
    }

    @Override
    public boolean fillsFromContent() {
        return switches.has(Capability.SNAPSHOT);
    }

    @Override
    public Optional<Modifier> modifier(VolumeSpec spec) {
        return given(Capability.MODIFY, () -> control::modify);
    }

    @Override
    public Optional<Observer> observer() {
        return given(Capability.OBSERVE, () -> control::attachments);
    }

    @Override
    public Optional<CapacityReporter> capacity() {
        return given(Capability.CAPACITY, () -> control::capacity);
    }

    @Override
    public Optional<TopologyReporter> topology() {
        return given(Capability.TOPOLOGY, () -> node()::segments);
    }

    /** Empty if the storage has no limit, unless the builder set the answer. */
    @Override
    public Optional<LimitsReporter> limits() {
        Long said = saysLimit;
        long limit = said == null ? storage.limits().maxVolumesPerNode() : said;
        return said == null && limit == 0
                ? Optional.empty()
                : given(Capability.LIMITS, () -> context -> node().maxVolumes(limit, context));
    }

    @Override
    public Optional<NodeReporter> nodeReporter() {
        Long said = saysLimit;
        long limit = said == null ? storage.limits().maxVolumesPerNode() : said;
        return registersNodes ? Optional.of(context -> node().describe(limit, context)) : Optional.empty();
    }

    @Override
    public Optional<StatsReporter> stats(VolumeSpec spec) {
        return given(Capability.STATS, () -> node()::stats);
    }

    @Override
    public Optional<HealthReporter> health() {
        return given(Capability.HEALTH, () -> node().health());
    }

    private NodeSide node() {
        return initialised(node);
    }

    private static <T> T initialised(@Nullable T part) {
        return Objects.requireNonNull(part, "the plugin was not initialised: call init(host) first");
    }

    private <T> Optional<T> given(Capability capability, Supplier<T> half) {
        return switches.has(capability) ? Optional.of(half.get()) : Optional.empty();
    }
}
