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
import java.util.Collections;
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
 * Builds a {@link VolumeManager}. Plugins are required; their plugin host also provides the node's name, the root
 * directory and the mount backend. Everything else has a default. Without a cluster the host states its wishes
 * directly. Not thread-safe.
 *
 * @since 0.1.0
 */
public final class VolumeManagerBuilder {
    /** Between a journal in memory and its last snapshot. */
    private static final int RATIO_IN_MEMORY = 4;

    /** A safety net that must cost an idle machine nothing: a thousand volumes are looked at again in two minutes. */
    private static final int RESYNC_PER_SECOND = 10;

    private static final Duration FOR_EVER = Duration.ofDays(36_500);

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

    /**
     * The source of pods, claims and volumes. Required, except for hosts that state only
     * {@linkplain #directWishes() direct wishes}.
     */
    public VolumeManagerBuilder cluster(ClusterSource value) {
        cluster = given("cluster", value);
        return this;
    }

    /**
     * The writer with which the node reports to the cluster: the sizes of claims that it expanded, and its own
     * status. Without a writer the node writes nothing and the host must do it, see
     * {@link VolumeManager#markReportedInUse}.
     */
    public VolumeManagerBuilder clusterWriter(ClusterWriter value) {
        writer = given("clusterWriter", value);
        return this;
    }

    /** The plugins. Controllers in the same process may share them. Required. */
    public VolumeManagerBuilder plugins(PluginRegistry value) {
        plugins = given("plugins", value);
        return this;
    }

    /** Reports which containers run. By default the manager uses the pod's object: see {@code Pod.terminated()}. */
    public VolumeManagerBuilder podRuntime(PodRuntime value) {
        runtime = given("podRuntime", value);
        return this;
    }

    /**
     * The executor for calls to plugins, which block. By default daemon threads that the manager creates as needed.
     * The {@linkplain #operationLimits operation limits} bound the number of concurrent calls. The manager does not
     * close this executor. It must have its own threads and reject calls when it is full, and the manager then tries
     * again. An executor that runs calls on its caller, such as {@code CallerRunsPolicy}, stops all volumes of the
     * node during each such call. The manager then formats no device, because a format waits for the event loop.
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

    /** Observes each step, call, decision and journal sync. Each call of this method adds an observer. */
    public VolumeManagerBuilder instrumentation(Instrumentation value) {
        instrumentations.add(given("instrumentation", value));
        return this;
    }

    /**
     * A listener that the manager calls on the event loop for each step that begins or ends. It must not block. Each
     * call of this method adds a listener. See also {@link VolumeManager#listen}.
     */
    public VolumeManagerBuilder listener(Consumer<VolumeTransition> value) {
        listeners.add(given("listener", value));
        return this;
    }

    /**
     * The host states wishes with {@link VolumeManager#desiredState()}, in addition to those of its cluster. The
     * manager tears down no volume before the host has called {@code desiredState().complete()}. A manager without a
     * cluster has direct wishes without this call.
     */
    public VolumeManagerBuilder directWishes() {
        directWishes = true;
        return this;
    }

    /** How long the manager waits before it retries a failed step; see {@link RetryBackoff} for the defaults. */
    public VolumeManagerBuilder backoff(RetryBackoff value) {
        backoff = given("backoff", value);
        return this;
    }

    /** How many calls to plugins may run at the same time; see {@link OperationLimits} for the defaults. */
    public VolumeManagerBuilder operationLimits(OperationLimits value) {
        limits = given("operationLimits", value);
        return this;
    }

    /**
     * Which side attaches volumes to this node. Default: the control plane, or the node itself if there is no
     * cluster.
     */
    public VolumeManagerBuilder attachMode(AttachMode value) {
        attachMode = given("attachMode", value);
        return this;
    }

    /**
     * Whether volumes of ended pods stay mounted until the pod's object is deleted. By default the manager unmounts
     * them when the pod ends.
     */
    public VolumeManagerBuilder keepTerminatedPodVolumes(boolean value) {
        keepTerminatedPodVolumes = value;
        return this;
    }

    /** The deadline of an attach or detach call, after which the manager writes it off; 2 minutes by default. */
    public VolumeManagerBuilder attachDeadline(Duration value) {
        attachDeadline = positive("attachDeadline", value);
        return this;
    }

    /**
     * The deadline of a mount or unmount call, after which the manager writes it off; 10 minutes by default. Calls
     * that may run programs have the {@link #deviceDeadline}.
     */
    public VolumeManagerBuilder mountDeadline(Duration value) {
        mountDeadline = positive("mountDeadline", value);
        return this;
    }

    /**
     * The deadline of a call that mounts or expands a device, for a plugin that may run programs for it (mkfs, fsck,
     * resize2fs); 1 hour by default. After the deadline the manager writes off the call and kills the program. The
     * next try starts an unfinished format from the beginning. The mount backend also limits each program, see
     * {@code LinuxMountBackend.Options}. With its defaults a check and a format end within this deadline. If the
     * devices of a host need more time, raise both.
     */
    public VolumeManagerBuilder deviceDeadline(Duration value) {
        deviceDeadline = positive("deviceDeadline", value);
        return this;
    }

    /**
     * The deadline of a walk that applies a pod's fsGroup to a volume's files; 1 hour by default. The manager then
     * interrupts the walk; the next try continues it.
     */
    public VolumeManagerBuilder ownershipDeadline(Duration value) {
        ownershipDeadline = positive("ownershipDeadline", value);
        return this;
    }

    /**
     * The deadline of a query for a volume's usage, see {@link VolumeManager#stats}; 1 minute by default. The manager
     * measures an emptyDir on disk file by file, which takes about a second for some hundred thousand files.
     */
    public VolumeManagerBuilder statsDeadline(Duration value) {
        statsDeadline = positive("statsDeadline", value);
        return this;
    }

    /**
     * Measures the usage and health of the volumes of claims regularly. The manager asks the plugins in rounds. Each
     * round begins this interval after the end of the previous round. The usage figures become the gauges
     * {@code kubelet_volume_stats_…} of {@link #metrics}. A change of a volume's health becomes an event of its pods,
     * and {@link VolumeManager#explainPod} contains it. Kubernetes uses one minute. By default the manager does not
     * ask.
     *
     * <p>Also writes a {@code FailedMount} event for each pod that lacks a volume after two of these intervals, after
     * four, eight and so on. So a user sees why a pod waits although no step fails, for instance for a claim that does
     * not exist.
     *
     * @since 0.1.0
     */
    public VolumeManagerBuilder watchVolumes(Duration interval) {
        watchInterval = positive("watchVolumes", interval);
        return this;
    }

    /**
     * The manager takes no steps. It reads what is mounted and watches the cluster, and {@link VolumeManager#plan()}
     * returns the steps that it would take. It locks the root directory and opens the journal, as a normal run does.
     */
    public VolumeManagerBuilder dryRun() {
        dryRun = true;
        return this;
    }

    /**
     * The plugin host needs no {@code MountBackend}, because every plugin mounts by itself. Without this call
     * {@link #build()} refuses such a plugin host, because the default plugins cannot mount anything there.
     */
    public VolumeManagerBuilder withoutMounts() {
        withoutMounts = true;
        return this;
    }

    /**
     * Keeps the journal in memory. After a restart the manager then does not know what was mounted. Only for machines
     * whose mounts end with the process, such as in-memory machines. By default the journal is a file in the root
     * directory.
     */
    public VolumeManagerBuilder journalInMemory() {
        journalInMemory = true;
        return this;
    }

    /** How long {@link VolumeManager#close()} may wait for the disk; 2 seconds by default, and 36,500 days at most. */
    public VolumeManagerBuilder closeTimeout(Duration value) {
        // Longer is for ever, and sums of it must stay in the range of a clock.
        closeTimeout = Collections.min(List.of(positive("closeTimeout", value), FOR_EVER));
        return this;
    }

    /**
     * Builds the manager. It does nothing before {@link VolumeManager#start()}. This method reads or creates the
     * identity of the root directory.
     *
     * @throws IllegalStateException if a required part is missing or parts do not fit together; the message lists all
     *     problems
     * @throws VolumeException if the root directory is not usable, another process uses it, or no thread can be created
     */
    public VolumeManager build() {
        requireWhole();
        PluginRegistry registry = needed("plugins", plugins);
        String nodeName = registry.host().nodeName();
        DirectWishes wishes = directWishes || cluster == null ? new DirectWishes(nodeName) : null;
        ClusterSource source = source(wishes);
        RootIdentity root = RootIdentity.of(registry.host(), work -> alone(registry.host(), work), UUID::randomUUID);
        ExecutorService journalWriter = OneThread.start(new DaemonThreads("volume-journal-"));
        Instrumentation instrumentation = GuardedListeners.instrumentation(instrumentations);
        ThreadEventLoop loop = loop(journalWriter, instrumentation);
        CallThreads ownWorkers = workers == null ? loop.callThreads(new DaemonThreads("volume-op-")) : null;
        try {
            NodePorts ports = ports(registry, source, root, journalWriter, instrumentation, loop, ownWorkers);
            NodeAgent agent = new NodeAgent(ports, options(), listeners);
            if (wishes != null) {
                agent.expectWishes(cluster != null);
            }
            return new LocalVolumeManager(agent, loop, ownWorkers, journalWriter, closeTimeout, wishes, limits);
        } catch (RuntimeException | Error failed) {
            // Code of the host, such as its PluginHost.
            if (ownWorkers != null) {
                ownWorkers.close();
            }
            loop.close();
            journalWriter.shutdownNow();
            throw failed;
        }
    }

    private NodePorts ports(
            PluginRegistry registry,
            ClusterSource source,
            RootIdentity root,
            ExecutorService journalWriter,
            Instrumentation instrumentation,
            ThreadEventLoop loop,
            @Nullable CallThreads ownWorkers) {
        SplittableRandom random = new SplittableRandom();
        PluginHost host = registry.host();
        return new NodePorts(
                host.nodeName(),
                host.root(),
                root.rootId(),
                root.bootId(),
                Long.toHexString(random.nextLong()),
                source,
                writer,
                registry,
                host.mounts().orElse(null),
                journal(host.root(), journalWriter, instrumentation),
                loop,
                ownWorkers == null ? needed("workers", workers) : ownWorkers,
                Blocking.threads(loop),
                random,
                runtime,
                events,
                metrics);
    }

    private NodeOptions options() {
        return new NodeOptions(
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
