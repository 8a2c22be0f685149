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
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One process's way to an {@link InMemoryStorage}, with every capability of the SPI unless it is switched off. Volumes are
 * {@code csi} sources whose driver is the plugin's name. Thread-safe after {@link #init}; keeps nothing that a restart
 * may not lose.
 */
public final class InMemoryPlugin implements VolumePlugin {
    /** The name of a plugin that was given none. */
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

    private InMemoryPlugin(Builder builder) {
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

    /** With every capability, on the storage. */
    public static InMemoryPlugin on(InMemoryStorage storage) {
        return builder(storage).build();
    }

    public static Builder builder(InMemoryStorage storage) {
        return new Builder(storage);
    }

    public InMemoryStorage storage() {
        return storage;
    }

    /** The storage's faults to come. */
    public FaultScript faults() {
        return storage.faults();
    }

    /** The storage's calls, those of other plugins on it too. */
    public List<PluginCall> calls() {
        return storage.calls();
    }

    /** Gives or takes a capability, as a new registration of a driver does. */
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

    /** The volume's content changed: asks every node that uses this plugin to set it up again. */
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

    /** Says nothing where the storage has no limit, unless it was told what to say. */
    @Override
    public Optional<LimitsReporter> limits() {
        Long said = saysLimit;
        long limit = said == null ? storage.limits().maxVolumesPerNode() : said;
        return said == null && limit == 0
                ? Optional.empty()
                : given(Capability.LIMITS, () -> context -> node().maxVolumes(limit, context));
    }

    @Override
    public Optional<StatsReporter> stats(VolumeSpec spec) {
        return given(Capability.STATS, () -> node()::stats);
    }

    @Override
    public Optional<HealthReporter> health() {
        return given(Capability.HEALTH, () -> node()::health);
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

    /** Not thread-safe. */
    public static final class Builder {
        private final InMemoryStorage storage;
        private final EnumSet<Capability> capabilities = EnumSet.allOf(Capability.class);
        private String name = DEFAULT_NAME;
        private String driver = "";
        private boolean recordOnly;
        private boolean formats;
        private boolean fallback;
        private boolean leaksSecrets;
        private @Nullable SecretResolver resolver;
        private boolean requiresRemount;
        private boolean labels;
        private boolean mountOptions;
        private boolean dataSources;
        private boolean growsOnline = true;
        private boolean tellsProgress = true;
        private boolean expandsOnline = true;
        private boolean expandsBeforePods = true;
        private boolean asksForNodes;
        private @Nullable Long saysLimit;
        private EffectModel effectModel = EffectModel.ordered();
        private int maxConcurrentCalls = 16;
        private List<AccessMode> accessModes = List.of(AccessMode.values());

        private Builder(InMemoryStorage storage) {
            this.storage = storage;
        }

        /** Default {@value InMemoryPlugin#DEFAULT_NAME}. */
        public Builder name(String newName) {
            name = newName;
            return this;
        }

        /** The driver that answers the calls; by default the one of the plugin's name. */
        public Builder driver(String name) {
            driver = name;
            return this;
        }

        /** Takes these capabilities away. */
        public Builder without(Capability first, Capability... more) {
            capabilities.removeAll(EnumSet.of(first, more));
            return this;
        }

        /** Leaves these capabilities only. */
        public Builder only(Set<Capability> wanted) {
            capabilities.retainAll(wanted);
            return this;
        }

        /** Mounts nothing even where there is a backend: the storage's record is all that there is. */
        public Builder recordOnly() {
            recordOnly = true;
            return this;
        }

        /**
         * Volumes are disks, as those of a block storage: the device mount is a filesystem on the machine's device {@code
         * /dev/mem/<handle>}, which the host puts there if nothing is on it. By default each is a tmpfs.
         */
        public Builder formats() {
            formats = true;
            return this;
        }

        /** Takes PersistentVolumes whose manifest names no source; their handle is their own name. */
        public Builder fallback() {
            fallback = true;
            return this;
        }

        /** Tells the values of a call's secret in each of its failures, as a careless driver does. */
        public Builder leaksSecrets() {
            leaksSecrets = true;
            return this;
        }

        /** Asks there for secrets; by default it asks its host, which then knows what not to tell on. */
        public Builder secrets(SecretResolver newResolver) {
            resolver = newResolver;
            return this;
        }

        /** Mounted volumes are set up again when their pod changes. */
        public Builder requiresRemount() {
            requiresRemount = true;
            return this;
        }

        /** Volumes are mounted with the SELinux context of their pod. */
        public Builder labels() {
            labels = true;
            return this;
        }

        /** Makes volumes of classes with mount options, which it lets be. */
        public Builder mountOptions() {
            mountOptions = true;
            return this;
        }

        /** Says that it finds out by itself what claims are to be filled from, and fills their volumes with nothing. */
        public Builder dataSources() {
            dataSources = true;
            return this;
        }

        /** How far a snapshot is it tells only to whoever asks for it to be cut again. */
        public Builder tellsNoProgress() {
            tellsProgress = false;
            return this;
        }

        /** Volumes grow at the backend only while no pod has them. */
        public Builder growsOffline() {
            growsOnline = false;
            return this;
        }

        /** Volumes grow on a node only while no pod has them. */
        public Builder expandsOffline() {
            expandsOnline = false;
            return this;
        }

        /** Volumes grow on a node only once a pod has them. */
        public Builder expandsUnderPods() {
            expandsBeforePods = false;
            return this;
        }

        /** Says after each growing at the backend that a node must finish it, even where it has no part for nodes. */
        public Builder asksForNodes() {
            asksForNodes = true;
            return this;
        }

        /** How many volumes it says that a node can have, 0 for no limit; by default as many as the storage allows. */
        public Builder saysLimit(long volumes) {
            saysLimit = volumes;
            return this;
        }

        /** Default ordered. */
        public Builder effectModel(EffectModel model) {
            effectModel = model;
            return this;
        }

        /** Default 16. */
        public Builder maxConcurrentCalls(int calls) {
            maxConcurrentCalls = calls;
            return this;
        }

        /** Default all. */
        public Builder accessModes(List<AccessMode> modes) {
            accessModes = List.copyOf(modes);
            return this;
        }

        public InMemoryPlugin build() {
            return new InMemoryPlugin(this);
        }
    }
}
