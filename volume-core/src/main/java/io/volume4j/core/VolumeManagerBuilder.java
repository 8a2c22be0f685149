package io.volume4j.core;

import io.volume4j.core.engine.Backoff;
import io.volume4j.core.engine.CallThreads;
import io.volume4j.core.engine.DaemonThreads;
import io.volume4j.core.engine.OneThread;
import io.volume4j.core.engine.OperationExecutor;
import io.volume4j.core.engine.ThreadEventLoop;
import io.volume4j.core.journal.FileJournalStore;
import io.volume4j.core.journal.InMemoryJournalStore;
import io.volume4j.core.journal.JournalOptions;
import io.volume4j.core.journal.JournalStore;
import io.volume4j.core.node.Blocking;
import io.volume4j.core.node.NodeOptions;
import io.volume4j.core.node.NodePorts;
import io.volume4j.core.node.agent.NodeAgent;
import io.volume4j.core.node.state.RootIdentity;
import io.volume4j.core.plugins.PluginRegistry;
import io.volume4j.core.report.GuardedListeners;
import io.volume4j.core.volumes.AttachMode;
import io.volume4j.core.volumes.VolumeTransition;
import io.volume4j.core.wishes.DirectWishes;
import io.volume4j.core.wishes.JoinedSource;
import io.volume4j.core.worlds.OperationLimits;
import io.volume4j.core.worlds.RetryBackoff;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.host.ClusterSource;
import io.volume4j.spi.host.ClusterWriter;
import io.volume4j.spi.host.EventSink;
import io.volume4j.spi.host.Instrumentation;
import io.volume4j.spi.host.MetricsSink;
import io.volume4j.spi.host.PodRuntime;
import io.volume4j.spi.plugin.PluginHost;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What a {@link VolumeManager} is made of. Needed are plugins, whose host also gives the node's name, the root directory and the
 * machine; everything else has a default. Without a cluster the host states its wishes directly. Not thread-safe.
 *
 * @since 0.1.0
 */
public final class VolumeManagerBuilder {
    /** Between a journal in memory and its last snapshot. */
    private static final int RATIO_IN_MEMORY = 4;

    /** A safety net that must cost an idle machine nothing: a thousand volumes are looked at again in two minutes. */
    private static final int RESYNC_PER_SECOND = 10;

    private @Nullable ClusterSource cluster;
    private @Nullable ClusterWriter writer;
    private @Nullable PluginRegistry plugins;
    private @Nullable PodRuntime runtime;
    private @Nullable Executor workers;
    private EventSink events = EventSink.none();
    private MetricsSink metrics = MetricsSink.none();
    private final List<Instrumentation> instrumentations = new ArrayList<>();
    private final List<Consumer<VolumeTransition>> listeners = new ArrayList<>();
    private @Nullable AttachMode attachMode;
    private boolean directWishes;
    private RetryBackoff backoff = RetryBackoff.standard();
    private OperationLimits limits = OperationLimits.standard();
    private boolean keepTerminatedPodVolumes;
    private boolean journalInMemory;
    private Duration attachDeadline = Duration.ofMinutes(2);
    private Duration mountDeadline = Duration.ofMinutes(10);
    private Duration deviceDeadline = NodeOptions.standard().deviceDeadline();
    private Duration ownershipDeadline = Duration.ofHours(1);
    private Duration statsDeadline = Duration.ofMinutes(1);
    private Duration watchInterval = Duration.ZERO;
    private boolean dryRun;
    private boolean withoutMounts;
    private Duration closeTimeout = Duration.ofSeconds(2);

    VolumeManagerBuilder() {}

    /** Where pods, claims and volumes come from. Needed, but by hosts that state {@linkplain #directWishes() direct wishes} alone. */
    public VolumeManagerBuilder cluster(ClusterSource value) {
        cluster = given("cluster", value);
        return this;
    }

    /**
     * Where the node writes what it found out: sizes of claims that were expanded here, its own status. Without one
     * nothing is written, and the host has to: see {@link VolumeManager#markReportedInUse}.
     */
    public VolumeManagerBuilder clusterWriter(ClusterWriter value) {
        writer = given("clusterWriter", value);
        return this;
    }

    /** The plugins; may be shared with controllers in the same process. Needed. */
    public VolumeManagerBuilder plugins(PluginRegistry value) {
        plugins = given("plugins", value);
        return this;
    }

    /** What the host knows of running containers. By default a pod's object is believed: see {@code Pod.terminated()}. */
    public VolumeManagerBuilder podRuntime(PodRuntime value) {
        runtime = given("podRuntime", value);
        return this;
    }

    /**
     * Runs calls of plugins, which block. By default daemon threads that come and go; never more than the library's own
     * limits allow. Not closed with the manager.
     */
    public VolumeManagerBuilder workers(Executor value) {
        workers = given("workers", value);
        return this;
    }

    public VolumeManagerBuilder events(EventSink value) {
        events = given("events", value);
        return this;
    }

    public VolumeManagerBuilder metrics(MetricsSink value) {
        metrics = given("metrics", value);
        return this;
    }

    /** Called for each step, call, decision and sync of the journal as it happens. A second call adds another. */
    public VolumeManagerBuilder instrumentation(Instrumentation value) {
        instrumentations.add(given("instrumentation", value));
        return this;
    }

    /**
     * Called on the event loop for each step that begins or ends; must not block. A second call adds another. See also
     * {@link VolumeManager#listen}.
     */
    public VolumeManagerBuilder listener(Consumer<VolumeTransition> value) {
        listeners.add(given("listener", value));
        return this;
    }

    /**
     * The host states wishes by {@link VolumeManager#desiredState()}, beside those of its cluster. Nothing is taken down before it
     * has called {@code desiredState().complete()}. A manager that was given no cluster has direct wishes without this call.
     */
    public VolumeManagerBuilder directWishes() {
        directWishes = true;
        return this;
    }

    /** How long a failed step waits for its next try; see {@link RetryBackoff} for the defaults. */
    public VolumeManagerBuilder backoff(RetryBackoff value) {
        backoff = given("backoff", value);
        return this;
    }

    /** How many calls of plugins may run at once; see {@link OperationLimits} for the defaults. */
    public VolumeManagerBuilder operationLimits(OperationLimits value) {
        limits = given("operationLimits", value);
        return this;
    }

    /** Who attaches volumes to this node; the control plane by default, the node itself if there is no cluster. */
    public VolumeManagerBuilder attachMode(AttachMode value) {
        attachMode = given("attachMode", value);
        return this;
    }

    /** Whether volumes of ended pods stay until the pod object goes; by default they go when the pod ends. */
    public VolumeManagerBuilder keepTerminatedPodVolumes(boolean value) {
        keepTerminatedPodVolumes = value;
        return this;
    }

    /** After which an attach or detach call is written off; 2 minutes by default. */
    public VolumeManagerBuilder attachDeadline(Duration value) {
        attachDeadline = positive("attachDeadline", value);
        return this;
    }

    /**
     * After which a call that mounts or unmounts is written off; 10 minutes by default. Calls for which programs may have to run
     * have {@link #deviceDeadline}.
     */
    public VolumeManagerBuilder mountDeadline(Duration value) {
        mountDeadline = positive("mountDeadline", value);
        return this;
    }

    /**
     * After which a call is written off that mounts a device or makes one larger, of a plugin that may run programs for it (mkfs,
     * fsck, resize2fs); 1 hour by default. The program that runs then is killed, an unfinished format is begun anew by the next try.
     * The mount backend limits each program as well, see {@code LinuxMountBackend.Options}: with its defaults a check and a format
     * end within this deadline. A host whose devices need more raises both.
     */
    public VolumeManagerBuilder deviceDeadline(Duration value) {
        deviceDeadline = positive("deviceDeadline", value);
        return this;
    }

    /**
     * After which a walk that gives a volume's files to a pod's group is interrupted, to go on where it was at its next
     * try; 1 hour by default.
     */
    public VolumeManagerBuilder ownershipDeadline(Duration value) {
        ownershipDeadline = positive("ownershipDeadline", value);
        return this;
    }

    /**
     * After which a volume that was asked how full it is has not answered, see {@link VolumeManager#stats}; 1 minute by
     * default. An emptyDir on disk is measured file by file, which takes a second for some hundred thousand files.
     */
    public VolumeManagerBuilder statsDeadline(Duration value) {
        statsDeadline = positive("statsDeadline", value);
        return this;
    }

    /**
     * Asks plugins, in rounds that begin so long after the end of the one before, how full the volumes of claims are and how volumes are
     * as this node sees them. The figures become the gauges {@code kubelet_volume_stats_…} of {@link #metrics}; a change of what is
     * wrong with a volume is an event of its pods, and {@link VolumeManager#explainPod} says it. Kubernetes asks each minute. By default
     * nothing is asked.
     *
     * @since 0.1.0
     */
    public VolumeManagerBuilder watchVolumes(Duration interval) {
        watchInterval = positive("watchVolumes", interval);
        return this;
    }

    /**
     * Takes no step, ever: the manager finds out what is mounted, follows the cluster, and {@link VolumeManager#plan()} says
     * what it would do. The root is locked meanwhile, and its journal is opened, as for a run in earnest.
     */
    public VolumeManagerBuilder dryRun() {
        dryRun = true;
        return this;
    }

    /**
     * The plugins' host has no {@code MountBackend}, and needs none: every plugin mounts by itself, and this manager only calls
     * them. Without this call such a host is refused, because none of the default plugins can mount anything there.
     */
    public VolumeManagerBuilder withoutMounts() {
        withoutMounts = true;
        return this;
    }

    /**
     * Keeps the journal in memory, so that a restart knows nothing of what was mounted. Only for machines whose mounts end
     * with the process as well, such as those in memory; by default the journal is a file in the root.
     */
    public VolumeManagerBuilder journalInMemory() {
        journalInMemory = true;
        return this;
    }

    /** How long closing may wait for the disk; 2 seconds by default. */
    public VolumeManagerBuilder closeTimeout(Duration value) {
        closeTimeout = positive("closeTimeout", value);
        return this;
    }

    /**
     * Makes the manager, which does nothing before {@link VolumeManager#start()}. Reads or makes the root's identity.
     *
     * @throws IllegalStateException if something needed is missing or parts do not fit, with all of that at once
     * @throws VolumeException if the root directory cannot be used, or another process uses it, or the machine has no thread
     */
    public VolumeManager build() {
        requireWhole();
        PluginRegistry registry = needed("plugins", plugins);
        String nodeName = registry.host().nodeName();
        DirectWishes wishes = directWishes || cluster == null ? new DirectWishes(nodeName) : null;
        ClusterSource source = source(wishes);
        RootIdentity root = RootIdentity.of(registry.host(), work -> alone(registry.host(), work), UUID::randomUUID);
        ExecutorService journalWriter = OneThread.start(new DaemonThreads("volume-journal-"));
        SplittableRandom random = new SplittableRandom();
        Instrumentation instrumentation = GuardedListeners.instrumentation(Instrumentation.all(instrumentations));
        ThreadEventLoop loop = loop(journalWriter, instrumentation);
        CallThreads ownWorkers = workers == null ? loop.callThreads(new DaemonThreads("volume-op-")) : null;
        NodePorts ports = new NodePorts(
                registry.host().nodeName(),
                registry.host().root(),
                root.rootId(),
                root.bootId(),
                Long.toHexString(random.nextLong()),
                source,
                writer,
                registry,
                registry.host().mounts().orElse(null),
                journal(registry.host().root(), journalWriter, instrumentation),
                loop,
                ownWorkers == null ? needed("workers", workers) : ownWorkers,
                Blocking.threads(),
                random,
                runtime,
                events,
                metrics);
        NodeOptions options = new NodeOptions(
                attachMode(),
                keepTerminatedPodVolumes,
                attachDeadline,
                mountDeadline,
                deviceDeadline,
                ownershipDeadline,
                statsDeadline,
                watchInterval,
                new Backoff(backoff.initial(), backoff.longest(), backoff.infeasible()),
                new OperationExecutor.Limits(limits.running(), limits.writtenOffPerPlugin(), limits.writtenOff()),
                RESYNC_PER_SECOND,
                dryRun);
        NodeAgent agent = new NodeAgent(ports, options, listeners);
        if (wishes != null) {
            agent.expectWishes();
        }
        return new LocalVolumeManager(agent, loop, ownWorkers, journalWriter, closeTimeout, wishes, limits);
    }

    /** Says all that is missing or does not fit at once. */
    private void requireWhole() {
        List<String> misses = new ArrayList<>();
        if (plugins == null) {
            misses.add("plugins(…) is needed");
        } else if (plugins.host().nodeName().isEmpty()) {
            misses.add("the plugins' host is needed with its node's name: DefaultPluginHost.builder(root).nodeName(…)");
        }
        if (plugins != null && plugins.host().mounts().isEmpty() && !withoutMounts) {
            misses.add("the plugins' host has nothing to mount with: give DefaultPluginHost.builder(root).mounts(…) a"
                    + " LinuxMountBackend, or one in memory, or call withoutMounts() if every plugin mounts by itself");
        }
        if (cluster == null && writer != null) {
            misses.add(
                    "clusterWriter(…) writes to a cluster, and there is none: give cluster(…), or leave the writer out");
        }
        if (cluster == null && attachMode == AttachMode.CONTROLLER) {
            misses.add(
                    "attachMode(CONTROLLER) waits for a controller of a cluster, and there is none: give cluster(…), or"
                            + " attachMode(SELF)");
        }
        if (!misses.isEmpty()) {
            throw new IllegalStateException("a volume manager cannot be built: " + String.join("; ", misses));
        }
    }

    private ClusterSource source(@Nullable DirectWishes wishes) {
        if (wishes == null) {
            return needed("cluster", cluster);
        }
        return cluster == null ? wishes : new JoinedSource(wishes, cluster);
    }

    private AttachMode attachMode() {
        if (attachMode != null) {
            return attachMode;
        }
        return cluster == null ? AttachMode.SELF : AttachMode.CONTROLLER;
    }

    private static ThreadEventLoop loop(ExecutorService journalWriter, Instrumentation instrumentation) {
        try {
            return ThreadEventLoop.start(
                    new DaemonThreads("volume-loop-"), System::nanoTime, InstantSource.system(), instrumentation);
        } catch (VolumeException noThread) {
            journalWriter.shutdownNow();
            throw noThread;
        }
    }

    /** A host that keeps no journal in the root has no lock on it either. */
    private String alone(PluginHost host, Supplier<String> work) {
        return journalInMemory ? work.get() : FileJournalStore.alone(host.root(), host.nodeName(), work);
    }

    private JournalStore journal(Path root, Executor writer, Instrumentation instrumentation) {
        JournalOptions.Builder options =
                JournalOptions.builder().closeTimeout(closeTimeout).instrumentation(instrumentation);
        return journalInMemory
                // Nothing blocks there, so no other thread need be woken for it; and as no process replays it at a
                // start, a snapshot need not come before it gives back much more memory than it takes time.
                ? new InMemoryJournalStore(
                        options.compactAfterRatio(RATIO_IN_MEMORY).build(), Runnable::run)
                : new FileJournalStore(root, options.build(), writer, new SecureRandom());
    }

    private static <T> T needed(String name, @Nullable T value) {
        if (value == null) {
            throw new IllegalStateException("a volume manager needs " + name + "(…)");
        }
        return value;
    }

    private static <T> T given(String call, @Nullable T value) {
        return Objects.requireNonNull(
                value, () -> call + "(…) was given null: give a value, or leave the call out for the default");
    }

    private static Duration positive(String name, Duration value) {
        if (value.isNegative() || value.isZero()) {
            throw new IllegalArgumentException(name + " must be positive, not " + value
                    + ": give a time above zero, or leave the call out for the default");
        }
        return value;
    }
}
