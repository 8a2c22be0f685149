package io.volume4j.inmemory.scale;

import com.sun.management.ThreadMXBean;
import io.volume4j.core.journal.JournalOptions;
import io.volume4j.core.volumes.AttachMode;
import io.volume4j.core.volumes.MountedPod;
import io.volume4j.inmemory.cluster.InMemoryCluster;
import io.volume4j.inmemory.plugin.InMemoryPlugin;
import io.volume4j.inmemory.sim.ControlProcess;
import io.volume4j.inmemory.sim.EngineCounts;
import io.volume4j.inmemory.sim.Internals;
import io.volume4j.inmemory.sim.NodeProcess;
import io.volume4j.inmemory.sim.SimProcess;
import io.volume4j.inmemory.sim.Simulation;
import io.volume4j.spi.model.ClaimPhase;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.PersistentVolumeClaim;
import io.volume4j.spi.model.Pod;
import io.volume4j.spi.model.VolumeAttachment;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.ToLongFunction;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;

/**
 * A cluster of many nodes in virtual time: controllers that bind, provision, protect, attach and detach, and agents on some or all nodes.
 * It has no faults and no oracle, so that only the library's work is counted. Belongs to one thread.
 */
public final class ScaleWorld implements AutoCloseable {
    /** Time for all work that follows an event, including reports some seconds later. */
    private static final Duration AFTER_EVENT = Duration.ofSeconds(30);

    private static final Duration WHILE_FILLED = Duration.ofSeconds(2);
    /** Journals represent disks but use memory here, so they are compacted early. */
    private static final long JOURNAL_BYTES = 64 << 10;

    private final ScaleSettings settings;
    private final Simulation world;
    private final EngineCounts engines = new EngineCounts();
    private final RandomGenerator random;
    private final List<PlacedPod> pods = new ArrayList<>();
    private int podsMade;
    private int claimsMade;
    private long touches;

    /** An existing pod. */
    private record PlacedPod(String name, String node, List<String> claims) {}

    /** A world without pods, before its start. */
    public ScaleWorld(ScaleSettings settings) {
        this.settings = settings;
        world = Internals.counting(
                        Internals.unjudged(Internals.journal(
                                Simulation.builder(settings.seed()),
                                JournalOptions.builder()
                                        .compactAfterBytes(JOURNAL_BYTES)
                                        .build())),
                        engines)
                .nodes(names(settings.agents()))
                .controllers(1)
                .attachMode(AttachMode.CONTROLLER)
                .features("protection")
                .tellsOfLeaders()
                .storage(storage -> storage.rememberedCalls(0))
                .plugins((all, process) -> List.of(
                        InMemoryPlugin.builder(all.storage()).recordOnly().build()))
                .build();
        random = world.random();
        names(settings.nodes()).forEach(name -> cluster().apply(ScaleObjects.node(name)));
        cluster().apply(ScaleObjects.storageClass());
    }

    private static List<String> names(int count) {
        return IntStream.range(0, count).mapToObj(ScaleWorld::nodeName).toList();
    }

    private static String nodeName(int number) {
        return "n" + number;
    }

    private InMemoryCluster cluster() {
        return world.cluster();
    }

    /** Starts everything and creates the pods one after another, on the nodes in turn; returns the cost. */
    public Load fill() {
        Load before = load();
        world.start();
        world.advance(AFTER_EVENT);
        for (int pod = 0; pod < settings.podsPerNode(); pod++) {
            for (int node = 0; node < settings.nodes(); node++) {
                pods.add(placed(nodeName(node), newClaims()));
                world.advance(WHILE_FILLED);
                world.events().clear();
            }
        }
        world.advance(AFTER_EVENT);
        requireAsWanted();
        return load().minus(before);
    }

    private List<String> newClaims() {
        List<String> claims = new ArrayList<>();
        for (int i = 0; i < settings.volumesPerPod(); i++) {
            String name = "claim-" + claimsMade++;
            cluster().apply(ScaleObjects.claim(name));
            claims.add(name);
        }
        return claims;
    }

    private PlacedPod placed(String node, List<String> claims) {
        PlacedPod pod = new PlacedPod("pod-" + podsMade++, node, claims);
        cluster().apply(ScaleObjects.pod(pod.name, node, claims));
        return pod;
    }

    /** Lets the event happen this many times, each after the work of the one before; returns the total cost. */
    public Load happen(Event event, int times) {
        Load before = load();
        for (int i = 0; i < times; i++) {
            switch (event) {
                case REPLACED -> replace(random.nextInt(pods.size()));
                case MOVED -> move(random.nextInt(pods.size()));
                case TOUCHED -> touch(random.nextInt(pods.size()));
                case RESTARTED -> restart(random.nextInt(settings.agents()));
            }
            world.advance(AFTER_EVENT);
            world.events().clear();
        }
        return load().minus(before);
    }

    /** Changes all pods at once, in a way that is irrelevant for the library; returns the cost. */
    public Load touchAllPods() {
        Load before = load();
        for (PlacedPod placed : pods) {
            Pod pod = (Pod) cluster()
                    .get(ObjectKey.pod(ScaleObjects.NAMESPACE, placed.name))
                    .orElseThrow();
            cluster().apply(ScaleObjects.touched(pod, touches++));
        }
        world.advance(AFTER_EVENT);
        return load().minus(before);
    }

    /** Lets the time pass without events; returns the cost. */
    public Load rest(Duration time) {
        Load before = load();
        world.advance(time);
        return load().minus(before);
    }

    /** The size of the world. */
    public ScaleSettings settings() {
        return settings;
    }

    /** Virtual time since the start. */
    public Duration elapsed() {
        return world.elapsed();
    }

    private void replace(int number) {
        PlacedPod pod = pods.get(number);
        cluster().remove(ObjectKey.pod(ScaleObjects.NAMESPACE, pod.name));
        pod.claims.forEach(claim -> cluster().remove(ObjectKey.claim(ScaleObjects.NAMESPACE, claim)));
        pods.set(number, placed(pod.node, newClaims()));
    }

    /** Two pods exchange their nodes, so that every node keeps its number of pods. */
    private void move(int number) {
        PlacedPod pod = pods.get(number);
        int other = random.nextInt(pods.size() - 1);
        other = other < number ? other : other + 1;
        PlacedPod goes = pods.get(other);
        cluster().remove(ObjectKey.pod(ScaleObjects.NAMESPACE, pod.name));
        cluster().remove(ObjectKey.pod(ScaleObjects.NAMESPACE, goes.name));
        pods.set(number, placed(goes.node, pod.claims));
        pods.set(other, placed(pod.node, goes.claims));
    }

    private void touch(int number) {
        List<String> claims = pods.get(number).claims;
        ObjectKey key = ObjectKey.claim(ScaleObjects.NAMESPACE, claims.get(random.nextInt(claims.size())));
        PersistentVolumeClaim claim = (PersistentVolumeClaim) cluster().get(key).orElseThrow();
        cluster().apply(ScaleObjects.touched(claim, touches++));
    }

    private void restart(int number) {
        NodeProcess node = world.node(nodeName(number));
        node.crash();
        node.start();
    }

    /** All counts so far. */
    private Load load() {
        ThreadMXBean thread = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        return Load.of(measure -> switch (measure) {
            case CONTROLLER_VISITS -> engines.controllers().visits();
            case CONTROLLER_STEPS -> engines.controllers().steps();
            case NODE_VISITS -> engines.nodes().visits();
            case NODE_STEPS -> engines.nodes().steps();
            case WRITES -> ofNodes(Internals::writes) + ofControllers(Internals::writes);
            case LISTED -> ofNodes(Internals::listed) + ofControllers(Internals::listed);
            case CONTROLLER_EVENTS -> ofControllers(Internals::events);
            case NODE_EVENTS -> ofNodes(Internals::events);
            case ALLOCATED -> thread.getCurrentThreadAllocatedBytes();
            case PROCESSOR -> thread.getCurrentThreadCpuTime() / 1_000;
        });
    }

    private long ofNodes(ToLongFunction<SimProcess> count) {
        return world.nodes().stream().mapToLong(count).sum();
    }

    private long ofControllers(ToLongFunction<SimProcess> count) {
        return world.controllers().stream().mapToLong(count).sum();
    }

    /**
     * Checks that the pods have their volumes, so that the counts of a broken world are not used.
     *
     * @throws IllegalStateException if a pod lacks one
     */
    public void requireAsWanted() {
        require(
                cluster().all(Kind.PERSISTENT_VOLUME_CLAIM).stream()
                        .filter(claim ->
                                ((PersistentVolumeClaim) claim).status().phase() == ClaimPhase.BOUND)
                        .count(),
                "claims are bound");
        require(cluster().all(Kind.PERSISTENT_VOLUME).size(), "volumes are there");
        require(
                cluster().all(Kind.VOLUME_ATTACHMENT).stream()
                        .filter(attachment ->
                                ((VolumeAttachment) attachment).status().attached())
                        .count(),
                "volumes are attached");
        List<CompletableFuture<MountedPod>> mounted = pods.stream()
                .filter(pod -> number(pod.node) < settings.agents())
                .map(pod -> world.node(pod.node).whenMounted("uid-" + pod.name))
                .toList();
        world.runReady();
        long notMounted = mounted.stream().filter(pod -> !pod.isDone()).count();
        if (notMounted > 0) {
            throw new IllegalStateException(notMounted + " pods have not got all their volumes");
        }
        if (!world.controllers().stream().allMatch(ControlProcess::quiet)) {
            throw new IllegalStateException("the controllers have not come to rest");
        }
    }

    private static int number(String node) {
        return Integer.parseInt(node.substring(1));
    }

    private void require(long there, String what) {
        if (there != settings.volumes()) {
            throw new IllegalStateException(there + " and not " + settings.volumes() + " " + what);
        }
    }

    @Override
    public void close() {
        world.close();
    }
}
