package io.volume4j.inmemory.sim;

import io.volume4j.core.assembly.SimulatedNodes;
import io.volume4j.core.engine.Backoff;
import io.volume4j.core.explain.Explanation;
import io.volume4j.core.journal.InMemoryJournalStore;
import io.volume4j.core.journal.JournalOptions;
import io.volume4j.core.node.Belief;
import io.volume4j.core.node.NodeOptions;
import io.volume4j.core.node.NodePorts;
import io.volume4j.core.node.NodeReconciler;
import io.volume4j.core.plugins.DefaultPluginHost;
import io.volume4j.core.plugins.PluginRegistry;
import io.volume4j.core.volumes.AttachMode;
import io.volume4j.core.volumes.MountedPod;
import io.volume4j.core.volumes.VolumeTransition;
import io.volume4j.inmemory.host.InMemoryPodRuntime;
import io.volume4j.inmemory.mount.InMemoryMountBackend;
import io.volume4j.spi.mount.IdMapping;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A node, with its agent as production builds it, the disk of its journal and, in a world with machines, its machine.
 *
 * @since 0.1.0
 */
public final class NodeProcess extends SimProcess {
    /** The root directory of every node. */
    public static final Path ROOT = Path.of("/volumes");
    /** Those of each pod with a user namespace of its own. */
    private static final IdMapping IDS = IdMapping.shifted(100_000, 65_536);

    private final InMemoryJournalStore journal;
    private final @Nullable InMemoryMountBackend machine;
    private final @Nullable InMemoryPodRuntime runtime;
    private @Nullable NodeReconciler agent;
    private @Nullable PluginRegistry plugins;
    /** Steps under way as the agent tells: volume, action, pod. */
    private final Set<List<String>> busy = new LinkedHashSet<>();

    private boolean busyChanged = true;
    /** What its agent took for true when that was asked last, null if it did not say then. */
    private @Nullable List<Belief> believed;

    private Map<String, Belief> believedByVolume = Map.of();

    private boolean ready;
    private int boots = 1;
    private AttachMode attachMode;

    NodeProcess(String name, Simulation world) {
        super(name, world);
        attachMode = world.makeup().attachMode();
        journal = new InMemoryJournalStore(
                world.makeup().nodes().journal(), world.threads().of(this, this::ofDisk));
        machine = world.makeup().nodes().machines()
                ? InMemoryMountBackend.builder()
                        .node(name)
                        .gate(new MachineGate(world))
                        .build()
                : null;
        runtime = world.makeup().nodes().podRuntimes() ? InMemoryPodRuntime.omniscient() : null;
        if (runtime != null) {
            runtime.idsOfOthers(IDS);
        }
        if (machine != null) {
            machine.files().createRoot(ROOT);
        }
    }

    private void ofDisk(Runnable task) {
        Duration late = world().weather().delay(world().weather().turbulence().slowDisk());
        if (late.isZero()) {
            world().scheduler().workers().execute(task);
        } else {
            world().scheduler().later(late, task);
        }
    }

    /** The agent of the present incarnation, empty while the node is down. */
    Optional<NodeReconciler> agent() {
        return Optional.ofNullable(agent);
    }

    /** The node's machine; empty in a world without machines. */
    public Optional<InMemoryMountBackend> machine() {
        return Optional.ofNullable(machine);
    }

    @Nullable
    InMemoryMountBackend itsMachine() {
        return machine;
    }

    /** The node's pod runtime; empty in a world that uses the pod objects. */
    public Optional<InMemoryPodRuntime> runtime() {
        return Optional.ofNullable(runtime);
    }

    /** The disk of the journal, to be filled up or broken. */
    InMemoryJournalStore journal() {
        return journal;
    }

    /** The plugins of the present incarnation, empty while the node is down. */
    public Optional<PluginRegistry> plugins() {
        return Optional.ofNullable(plugins);
    }

    /** Sets which side attaches its volumes from its next start on. By default as the world was built. */
    public void attachMode(AttachMode mode) {
        attachMode = mode;
    }

    /**
     * Reboots the machine. It loses mounts and devices; attachments stay. Does not start the agent.
     * @param powerLoss whether the machine loses unsynced data, possibly in the middle of a record
     */
    public void reboot(boolean powerLoss) {
        world().tell(name() + (powerLoss ? " loses power" : " is booted"));
        for (SimProcess process : world().processes().all()) {
            if (process.place() == this && process.alive()) {
                process.die();
            }
        }
        boots++;
        if (powerLoss) {
            journal.powerLoss(world().weather().fate());
        }
        if (machine != null && powerLoss) {
            machine.losePower();
        } else if (machine != null) {
            machine.reboot();
        }
        world().storage().nodeRebooted(name());
        world().oracle().rebooted(name());
    }

    /**
     * Switches the machine off; the fencing authority then has evidence of it. The machine loses mounts and devices;
     * attachments stay. Nothing starts here before {@link #powerOn}.
     */
    public void powerOff() {
        if (!isOff()) {
            reboot(true);
            switchedOff(true);
            world().tell(name() + " is switched off");
        }
    }

    /** Ends {@link #powerOff}. Does not start the agent. */
    public void powerOn() {
        switchedOff(false);
    }

    /** Whether its machine is switched off, so that nothing on it can access a volume. */
    public boolean poweredOff() {
        return isOff();
    }

    /** Completes when the pod has all its volumes. Fails if the node is down. */
    public CompletableFuture<MountedPod> whenMounted(String podUid) {
        return agent == null
                ? CompletableFuture.failedFuture(new IllegalStateException(name() + " is down"))
                : agent.whenMounted(podUid);
    }

    /** Explains the state of the pod's volumes. Fails if the node is down. */
    public CompletableFuture<Explanation> explainPod(String podUid) {
        return agent == null
                ? CompletableFuture.failedFuture(new IllegalStateException(name() + " is down"))
                : agent.explainPod(podUid, "pod " + podUid);
    }

    /** Completes with whether the node has nothing to do and no operation is running. Fails if the node is down. */
    public CompletableFuture<Boolean> quiet() {
        return agent == null
                ? CompletableFuture.failedFuture(new IllegalStateException(name() + " is down"))
                : agent.quiet();
    }

    @Override
    NodeProcess place() {
        return this;
    }

    int machineBoots() {
        return boots;
    }

    /** Whether its agent runs and has finished the reconstruction. */
    public boolean ready() {
        return alive() && ready;
    }

    /** What its agent takes for true; empty unless {@link #ready()}. */
    List<Belief> beliefs() {
        return ready() && agent != null ? agent.beliefs() : List.of();
    }

    /**
     * Whether there is something to hold against what is outside: what the agent believes, or which of it is in doubt
     * because of a call under way, is not what it was when this was asked last.
     */
    boolean believesOtherwise() {
        boolean otherwise = busyChanged;
        busyChanged = false;
        if (!ready() || agent == null) {
            believed = null;
            return otherwise;
        }
        if (believed == null || !agent.stillBelieves(believed)) {
            believed = agent.beliefs();
            believedByVolume = byVolume(believed);
            return true;
        }
        return otherwise;
    }

    /** What its agent believed of the volume when that was asked last, null if nothing. */
    @Nullable
    Belief believedOf(String volume) {
        return believedByVolume.get(volume);
    }

    private static Map<String, Belief> byVolume(List<Belief> beliefs) {
        Map<String, Belief> byVolume = new HashMap<>();
        beliefs.forEach(belief -> byVolume.put(belief.volume().name(), belief));
        return byVolume;
    }

    @Override
    void begin() {
        Makeup makeup = world().makeup();
        ProcessLoop loop = newLoop();
        ProcessCluster seen = newCluster();
        PluginRegistry registry = newPlugins(hostFor());
        plugins = registry;
        NodePorts ports = new NodePorts(
                name(),
                ROOT,
                "root-" + name(),
                "boot-" + boots,
                String.valueOf(incarnation()),
                seen,
                seen,
                registry,
                machine,
                journal,
                loop,
                world().threads().of(this, world().traffic().workersOf(this)),
                world().traffic().blocking(),
                world().scheduler().random(),
                runtime,
                world().secretSearch().in(world().events()),
                world().secretSearch().metrics());
        NodeOptions options = new NodeOptions(
                attachMode,
                false,
                Duration.ofMinutes(2),
                Duration.ofMinutes(2),
                Duration.ofMinutes(2),
                Backoff.standard(),
                makeup.nodes().appliedLimits(),
                0,
                false);
        NodeReconciler started = SimulatedNodes.node(ports, options, this::transition, world().seams());
        agent = started;
        ready = false;
        int mine = incarnation();
        var unused = started.start().thenRun(() -> {
            if (incarnation() == mine) {
                ready = true;
                thought();
            }
        });
    }

    private void transition(VolumeTransition transition) {
        if (transition.action() == VolumeTransition.Action.FORMAT) {
            return;
        }
        // A step whose intent could not be written ends without having begun.
        List<String> step =
                List.of(transition.volume().name(), transition.action().name(), transition.podUid());
        busyChanged = true;
        if (transition.ended()) {
            busy.remove(step);
        } else {
            busy.add(step);
        }
    }

    /** Whether the agent waits for the outcome of a call about the volume. */
    boolean busy(String volume) {
        for (List<String> step : busy) {
            if (step.get(0).equals(volume)) {
                return true;
            }
        }
        return false;
    }

    private DefaultPluginHost hostFor() {
        DefaultPluginHost.Builder host = DefaultPluginHost.builder(ROOT)
                .nodeName(name())
                .secrets(world().secrets())
                .clock(() -> world().scheduler().now())
                .nanoClock(() -> world().scheduler().elapsed().toNanos());
        return (machine == null ? host : host.mounts(machine)).build();
    }

    @Override
    void died() {
        agent = null;
        plugins = null;
        ready = false;
        busy.clear();
        believed = null;
        journal.crash();
        world().secretSearch().journal(this);
    }

    /** Bounds that a small world reaches, so that compaction happens in it. */
    static JournalOptions smallJournal() {
        return JournalOptions.builder().compactAfterBytes(2_000).build();
    }
}
