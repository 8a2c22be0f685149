package io.volume4j.inmemory.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.core.engine.Backoff;
import io.volume4j.core.engine.EventLoop;
import io.volume4j.core.engine.OperationExecutor;
import io.volume4j.core.explain.Explanation;
import io.volume4j.core.journal.JournalEntry;
import io.volume4j.core.journal.Replayed;
import io.volume4j.core.node.Blocking;
import io.volume4j.core.node.NodeOptions;
import io.volume4j.core.node.NodePorts;
import io.volume4j.core.node.agent.NodeAgent;
import io.volume4j.core.node.state.RootIdentity;
import io.volume4j.core.plugins.PluginRegistry;
import io.volume4j.core.volumes.AttachMode;
import io.volume4j.core.volumes.MountedPod;
import io.volume4j.core.volumes.VolumeTransition;
import io.volume4j.inmemory.cluster.InMemoryCluster;
import io.volume4j.inmemory.host.InMemoryCertificates;
import io.volume4j.inmemory.host.InMemoryConfig;
import io.volume4j.inmemory.host.InMemoryPluginHost;
import io.volume4j.inmemory.host.InMemorySecrets;
import io.volume4j.inmemory.host.ManualCallContext;
import io.volume4j.inmemory.host.RecordingEvents;
import io.volume4j.inmemory.host.RecordingMetrics;
import io.volume4j.inmemory.mount.InMemoryMountBackend;
import io.volume4j.inmemory.plugin.InMemoryPlugin;
import io.volume4j.inmemory.plugin.InMemoryPluginBuilder;
import io.volume4j.inmemory.plugin.InMemoryStorage;
import io.volume4j.inmemory.virtual.VirtualScheduler;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.host.PodRuntime;
import io.volume4j.spi.host.SecretResolver;
import io.volume4j.spi.model.AccessMode;
import io.volume4j.spi.model.ClaimSource;
import io.volume4j.spi.model.Node;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.ObjectMeta;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.PersistentVolumeClaim;
import io.volume4j.spi.model.Pod;
import io.volume4j.spi.model.PodVolume;
import io.volume4j.spi.model.Quantity;
import io.volume4j.spi.model.ResizeStatus;
import io.volume4j.spi.model.Unmodeled;
import io.volume4j.spi.model.VolumeMode;
import io.volume4j.spi.mount.RootedPath;
import io.volume4j.spi.plugin.Expander.ExpandRequest;
import io.volume4j.spi.plugin.VolumePlugin;
import io.volume4j.spi.plugin.VolumeSpec;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** One node in virtual time: its agent can be killed and started again, while cluster, storage and journal stay. */
final class NodeHarness {
    static final String NODE = "n1";
    static final Path ROOT = Path.of("/volumes");

    /** Nothing may depend on the safety net. */
    private static final int NO_RESYNC = 0;

    final VirtualScheduler world;
    final InMemoryCluster cluster;
    final InMemoryStorage storage = InMemoryStorage.create();
    final InMemoryPlugin plugin;
    final @Nullable InMemoryMountBackend machine;
    private final List<VolumePlugin> plugins = new ArrayList<>();
    final InMemorySecrets secrets = new InMemorySecrets();
    final InMemoryConfig configs;
    final InMemoryCertificates certificates;
    private boolean tellsChanges = true;
    private Map<String, Quantity> allocatable = Map.of();
    final RecordingEvents events = new RecordingEvents();
    final RecordingMetrics metrics = new RecordingMetrics();
    final List<VolumeTransition> transitions = new ArrayList<>();
    private final @Nullable PodRuntime runtime;
    private final HarmedJournal journal;
    private String rootId = "";
    private AttachMode attachMode = AttachMode.SELF;
    private VirtualScheduler.@Nullable VirtualLoop loop;
    private @Nullable NodeAgent agent;
    private CompletableFuture<Void> starting = CompletableFuture.completedFuture(null);
    private int incarnation;
    private boolean dryRun;
    private Duration watchInterval = Duration.ZERO;
    private boolean hostWrites;
    private String boot = "boot-1";
    private boolean threads = true;
    private int callsUntilOneHangs;
    private long tasks;
    private final List<Runnable> hanging = new ArrayList<>();

    NodeHarness(long seed) {
        this(seed, null);
    }

    NodeHarness(long seed, @Nullable PodRuntime runtime) {
        this(seed, runtime, null, builder -> builder);
    }

    /** A node with a machine in memory, so that there are mounts, directories and metadata files. */
    static NodeHarness withMachine(long seed) {
        return new NodeHarness(
                seed, null, InMemoryMountBackend.builder().node(NODE).build(), builder -> builder);
    }

    /** The same with a runtime that knows which containers run. */
    static NodeHarness withMachine(long seed, PodRuntime runtime) {
        return new NodeHarness(
                seed, runtime, InMemoryMountBackend.builder().node(NODE).build(), builder -> builder);
    }

    /** A node whose disk has project quotas. */
    static NodeHarness withProjectQuotas() {
        InMemoryMountBackend machine =
                InMemoryMountBackend.builder().node(NODE).projectQuotas().build();
        return new NodeHarness(1, null, machine, builder -> builder);
    }

    /** A node whose plugin is not the usual one. */
    static NodeHarness withPlugin(UnaryOperator<InMemoryPluginBuilder> how) {
        return new NodeHarness(
                1, null, InMemoryMountBackend.builder().node(NODE).build(), how);
    }

    /** A node whose plugin mounts with SELinux contexts, on a machine that has no SELinux. */
    static NodeHarness withoutSeLinux() {
        InMemoryMountBackend machine =
                InMemoryMountBackend.builder().node(NODE).withoutSeLinux().build();
        return new NodeHarness(1, null, machine, InMemoryPluginBuilder::labels);
    }

    private NodeHarness(
            long seed,
            @Nullable PodRuntime runtime,
            @Nullable InMemoryMountBackend machine,
            UnaryOperator<InMemoryPluginBuilder> how) {
        this.runtime = runtime;
        this.machine = machine;
        world = new VirtualScheduler(seed, Instant.parse("2026-01-01T00:00:00Z"));
        configs = new InMemoryConfig(world::now);
        certificates = new InMemoryCertificates(world::now);
        cluster = InMemoryCluster.create();
        InMemoryPluginBuilder builder = how.apply(InMemoryPlugin.builder(storage));
        plugin = (machine == null ? builder.recordOnly() : builder).build();
        plugins.add(plugin);
        journal = new HarmedJournal(world.workers());
    }

    /** A resolver that tells no changes. */
    private static SecretResolver silent(SecretResolver resolver) {
        return reference -> resolver.resolve(reference);
    }

    NodeHarness start() {
        VirtualScheduler.VirtualLoop fresh = world.loop();
        InMemoryPluginHost.Builder host = InMemoryPluginHost.named(NODE)
                .root(ROOT)
                .secrets(tellsChanges ? secrets : silent(secrets))
                .configs(configs)
                .certificates(certificates)
                .allocatable(allocatable)
                .clock(world::now);
        if (machine != null) {
            host.mounts(machine);
        }
        PluginRegistry registry =
                PluginRegistry.builder(host.build()).plugins(plugins).build();
        String found = machine == null
                ? "root-1"
                : RootIdentity.of(registry.host(), Supplier::get, () -> new UUID(1, 2))
                        .rootId();
        NodePorts ports = new NodePorts(
                NODE,
                ROOT,
                rootId.isEmpty() ? found : rootId,
                machine == null ? boot : machine.bootId(),
                String.valueOf(++incarnation),
                cluster,
                hostWrites ? null : cluster,
                registry,
                machine,
                journal::open,
                fresh,
                untilTheNextBoot(boot),
                whileTheWorldGoesOn(fresh),
                world.random(),
                runtime,
                events,
                metrics);
        NodeOptions options = new NodeOptions(
                attachMode,
                false,
                Duration.ofMinutes(2),
                Duration.ofMinutes(2),
                Duration.ofMinutes(2),
                Backoff.standard(),
                OperationExecutor.Limits.standard(),
                NO_RESYNC,
                false);
        NodeAgent started = new NodeAgent(
                ports, options.withDryRun(dryRun).withWatchInterval(watchInterval), List.of(transitions::add));
        starting = started.start();
        loop = fresh;
        agent = started;
        return this;
    }

    /** From the next start on the agent writes nothing to the cluster; its host has to. */
    NodeHarness hostWrites() {
        hostWrites = true;
        return this;
    }

    /** From the next start on no watch tells when a secret changes. */
    NodeHarness silentSecrets() {
        tellsChanges = false;
        return this;
    }

    /** From the next start on this is known of the node. */
    NodeHarness allocatable(Map<String, Quantity> resources) {
        allocatable = resources;
        return this;
    }

    /** From the next start on the node asks by itself how volumes are. */
    NodeHarness watchVolumes(Duration interval) {
        watchInterval = interval;
        return this;
    }

    /** From the next start on no step is taken. */
    NodeHarness dryRun(boolean dry) {
        dryRun = dry;
        return this;
    }

    /** The process dies now; what the journal had not written is lost. Calls that were sent still take effect. */
    void kill() {
        if (loop != null) {
            loop.kill();
        }
        loop = null;
        agent = null;
        journal.crash();
    }

    /** The machine is booted: what was mounted and staged is gone. */
    void reboot() {
        kill();
        boot = boot + "+";
        if (machine != null) {
            machine.reboot();
        }
        storage.nodeRebooted(NODE);
    }

    /** What a call waits for is done in between, by the thread that makes the call. */
    private Blocking whileTheWorldGoesOn(EventLoop fresh) {
        return new Blocking() {
            @Override
            public <T> T await(CompletableFuture<T> future) {
                while (!future.isDone() && world.step()) {
                    // Until it is.
                }
                return Blocking.threads(fresh).await(future);
            }
        };
    }

    /** A process that dies may have sent calls that still take effect; a machine that goes down takes them along. */
    private Executor untilTheNextBoot(String bootOfCalls) {
        Executor workers = world.workers();
        return task -> {
            if (!threads) {
                throw new RejectedExecutionException("all threads are taken");
            }
            tasks++;
            if (callsUntilOneHangs > 0) {
                callsUntilOneHangs--;
                if (callsUntilOneHangs == 0) {
                    hanging.add(inBoot(bootOfCalls, task));
                    return;
                }
            }
            workers.execute(inBoot(bootOfCalls, task));
        };
    }

    private Runnable inBoot(String bootOfCalls, Runnable task) {
        return () -> {
            if (boot.equals(bootOfCalls)) {
                task.run();
            }
        };
    }

    /** Whether the host's executor takes calls from now on. */
    void threads(boolean there) {
        threads = there;
    }

    /** The number of tasks that workers got. */
    long tasks() {
        return tasks;
    }

    /** The n-th call from now, from 1, does not go on until {@link #releaseHanging}. */
    void hangCall(int n) {
        callsUntilOneHangs = n;
    }

    void releaseHanging() {
        List<Runnable> all = List.copyOf(hanging);
        hanging.clear();
        all.forEach(Runnable::run);
    }

    /** From the next start on, sees each entry that is appended to the journal. */
    void observeJournal(Consumer<JournalEntry> observer) {
        journal.observe(observer);
    }

    /** The journal's file is gone. */
    void deleteJournal() {
        journal.delete();
    }

    /** The next start reads this of the journal instead of what is in it. */
    void harmJournal(UnaryOperator<Replayed> how) {
        journal.harmNext(how);
    }

    /** The agent takes itself to be that of another root from the next start on. */
    void rootId(String id) {
        rootId = id;
    }

    /** Who attaches from the next start on. */
    void attachMode(AttachMode mode) {
        attachMode = mode;
    }

    /** Whether the usual plugin is registered from the next start on. */
    NodeHarness pluginIsThere(boolean there) {
        plugins.remove(plugin);
        if (there) {
            plugins.add(plugin);
        }
        return this;
    }

    /** What a host or a control plane writes to the node's status. */
    void nodeStatus(List<VolumeId> inUse, List<VolumeId> attached) {
        cluster.apply(new Node(
                ObjectMeta.named("", NODE).withUid("uid-n1"),
                new Node.Spec(List.of()),
                new Node.Status(
                        true,
                        inUse.stream().map(VolumeId::toString).toList(),
                        attached.stream()
                                .map(id -> new Node.AttachedVolume(id.toString(), "/dev/mem/" + id.name()))
                                .toList(),
                        Map.of()),
                Unmodeled.none()));
    }

    /** The node has these labels. */
    void nodeObject(Map<String, String> labels) {
        cluster.apply(new Node(
                ObjectMeta.named("", NODE).withUid("uid-n1").withLabels(labels),
                new Node.Spec(List.of()),
                new Node.Status(true, List.of(), List.of(), Map.of()),
                Unmodeled.none()));
    }

    /** Another plugin from the next start on. */
    void plugin(VolumePlugin another) {
        plugins.add(another);
    }

    /** These beside the usual one from the next start on; a plugin belongs to one process. */
    void pluginsAnew(List<VolumePlugin> others) {
        plugins.removeIf(each -> each != plugin);
        plugins.addAll(others);
    }

    NodeAgent agent() {
        if (agent == null || starting.isCompletedExceptionally()) {
            throw new IllegalStateException("not started");
        }
        return agent;
    }

    /** Mounts, loop devices and everything at paths of volumes; the directories above them stay. */
    List<String> leftOnMachine() {
        return machine == null
                ? List.of()
                : machine.leaks(ROOT).stream()
                        .filter(line -> line.startsWith("mount")
                                || line.startsWith("loop")
                                || line.contains(ROOT + "/pods/")
                                || line.contains("/devices/"))
                        .toList();
    }

    /** What says at each mount what it is is gone. */
    void tearUpCards() {
        MetadataFiles.tearUp(Objects.requireNonNull(machine), RootedPath.of(ROOT, "pods"));
        MetadataFiles.tearUp(Objects.requireNonNull(machine), RootedPath.of(ROOT, "plugins"));
    }

    void settle() {
        world.advance(Duration.ofMinutes(10));
    }

    Explanation explainPod(String uid) {
        return get(agent().explainPod(uid, "pod " + uid));
    }

    MountedPod mounted(String uid) {
        return get(agent().whenMounted(uid));
    }

    <T> T get(CompletableFuture<T> future) {
        world.runReady();
        if (!future.isDone()) {
            throw new AssertionError("not done: " + future);
        }
        try {
            return future.join();
        } catch (java.util.concurrent.CompletionException failed) {
            if (failed.getCause() instanceof VolumeException classified) {
                throw classified;
            }
            throw failed;
        }
    }

    List<String> calls() {
        return new ArrayList<>(storage.callTexts());
    }

    /** How many calls began with this. */
    long count(String prefix) {
        return calls().stream().filter(call -> call.startsWith(prefix)).count();
    }

    /** Neither the node nor its machine nor the backend has a volume in use, and nothing forbidden was done. */
    void nothingIsLeft() {
        assertThat(get(agent().present())).isEmpty();
        assertThat(leftOnMachine()).isEmpty();
        assertThat(storage.volumes()).noneMatch(volume -> volume.held());
        assertThat(storage.violations()).isEmpty();
        if (machine != null) {
            assertThat(machine.violations()).isEmpty();
        }
    }

    /** A volume and a claim that is bound to it. */
    void boundClaim(String name) {
        boundClaim(name, AccessMode.READ_WRITE_ONCE);
    }

    void boundClaim(String name, AccessMode mode) {
        boundClaim(name, mode, VolumeMode.FILESYSTEM);
    }

    void boundClaim(String name, AccessMode mode, VolumeMode volumeMode) {
        PersistentVolumeClaim claim = BoundVolumes.claim(name, mode, volumeMode);
        storage.add("h-" + name, BoundVolumes.SIZE.bytes());
        if (machine != null && volumeMode == VolumeMode.BLOCK) {
            machine.addDisk(Path.of("/dev/mem/h-" + name), "serial-" + name, BoundVolumes.SIZE.bytes());
        }
        cluster.apply(claim);
        cluster.apply(BoundVolumes.volume(name, claim, BoundVolumes.SIZE));
    }

    /** The storage and the volume become larger, and the claim says whose turn it is. */
    void grow(String name, Quantity size, ResizeStatus status) {
        VolumeSpec spec = VolumeSpec.of(storedVolume(name), false);
        plugin.expander(spec).orElseThrow().expand(new ExpandRequest(spec, size.bytes(), 0), new ManualCallContext());
        resizeStatus(name, status);
        cluster.apply(BoundVolumes.volume(name, storedClaim(name), size));
    }

    void resizeStatus(String name, ResizeStatus status) {
        cluster.apply(BoundVolumes.withResizeStatus(storedClaim(name), status));
    }

    PersistentVolumeClaim storedClaim(String name) {
        return (PersistentVolumeClaim)
                cluster.get(ObjectKey.claim("default", name)).orElseThrow();
    }

    PersistentVolume storedVolume(String name) {
        return (PersistentVolume) cluster.get(ObjectKey.volume("pv-" + name)).orElseThrow();
    }

    /** A pod on this node that uses the claims. */
    void pod(String name, String... claims) {
        pod(name, false, Pod.SecurityContext.none(), claims);
    }

    void pod(String name, boolean readOnly, Pod.SecurityContext context, String... claims) {
        List<PodVolume> volumes = new ArrayList<>();
        for (String claim : claims) {
            volumes.add(new PodVolume(claim, new ClaimSource(claim, readOnly)));
        }
        cluster.apply(pod(name, volumes, context));
    }

    /** A pod whose one container uses all the volumes, those of claims for raw devices as devices. */
    Pod pod(String name, List<PodVolume> volumes, Pod.SecurityContext context) {
        return PodObjects.pod(name, volumes, this::isBlock, context);
    }

    private boolean isBlock(PodVolume volume) {
        return volume.source() instanceof ClaimSource source
                && cluster.get(ObjectKey.claim("default", source.claimName()))
                        .filter(claim -> ((PersistentVolumeClaim) claim).spec().volumeMode() == VolumeMode.BLOCK)
                        .isPresent();
    }

    /** See {@link PodObjects#prepared}. */
    void preparedPod(String name, @Nullable Long fsGroup, String changePolicy, String subPath, String... claims) {
        cluster.apply(PodObjects.prepared(name, fsGroup, changePolicy, subPath, claims));
    }

    void deletePod(String name) {
        cluster.remove(ObjectKey.pod("default", name));
    }
}
