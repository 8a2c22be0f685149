package io.volume4j.inmemory.attach;

import io.volume4j.core.control.attach.AttachAgent;
import io.volume4j.core.control.attach.AttachOptions;
import io.volume4j.core.control.run.ControlPorts;
import io.volume4j.core.engine.EventLoop;
import io.volume4j.core.grants.AttachmentName;
import io.volume4j.core.grants.GrantKeys;
import io.volume4j.core.grants.GrantList;
import io.volume4j.core.grants.InUseReport;
import io.volume4j.core.plugins.PluginRegistry;
import io.volume4j.inmemory.cluster.InMemoryCluster;
import io.volume4j.inmemory.host.InMemoryPluginHost;
import io.volume4j.inmemory.plugin.InMemoryPlugin;
import io.volume4j.inmemory.plugin.InMemoryStorage;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.host.ClusterSource;
import io.volume4j.spi.host.EventSink;
import io.volume4j.spi.host.Fence;
import io.volume4j.spi.host.FencingAuthority;
import io.volume4j.spi.host.LeaderEpoch;
import io.volume4j.spi.host.MetricsSink;
import io.volume4j.spi.host.Selection;
import io.volume4j.spi.host.WatchEvent;
import io.volume4j.spi.model.AccessMode;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.ClaimPhase;
import io.volume4j.spi.model.ClaimSource;
import io.volume4j.spi.model.CsiSource;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.Node;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.ObjectMeta;
import io.volume4j.spi.model.ObjectReference;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.PersistentVolumeClaim;
import io.volume4j.spi.model.Pod;
import io.volume4j.spi.model.PodPhase;
import io.volume4j.spi.model.PodVolume;
import io.volume4j.spi.model.Quantity;
import io.volume4j.spi.model.ReclaimPolicy;
import io.volume4j.spi.model.Unmodeled;
import io.volume4j.spi.model.VolumeAttachment;
import io.volume4j.spi.model.VolumeMode;
import io.volume4j.spi.model.VolumePhase;
import io.volume4j.spi.model.WellKnown;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Random;

/**
 * The numbers of the attach/detach controller, measured, not asserted: {@code AttachBench [nodes] [volumes per node]}. One
 * thread plays loop and workers; time is real.
 */
public final class AttachBench {
    private static final Quantity SIZE = Quantity.parse("1Gi");
    private static final int PODS_PER_NODE = 10;

    private AttachBench() {}

    /** Prints what it measures. */
    public static void main(String[] arguments) {
        int nodes = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 10_000;
        int perNode = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 100;
        Objects objects = new Objects();
        for (int n = 0; n < nodes; n++) {
            objects.node("n" + n, perNode);
        }
        long before = heap();
        System.out.printf("%d nodes, %d attachments; objects alone: %d MiB%n", nodes, nodes * perNode, before >> 20);
        Loop loop = new Loop();
        AttachAgent agent = new AttachAgent(
                new ControlPorts(
                        "bench",
                        objects,
                        InMemoryCluster.create(),
                        PluginRegistry.builder(InMemoryPluginHost.named("").build())
                                .plugin(InMemoryPlugin.builder(InMemoryStorage.builder()
                                                .rememberedCalls(0)
                                                .build())
                                        .recordOnly()
                                        .build())
                                .build(),
                        loop,
                        loop::work,
                        new Random(1),
                        LeaderEpoch.alone(),
                        EventSink.none(),
                        MetricsSink.none()),
                FencingAuthority.none(),
                AttachOptions.standard().withVerifyEvery(Duration.ZERO),
                transition -> {});
        long start = cpu();
        agent.start();
        loop.runReady();
        long built = cpu() - start;
        System.out.printf("worlds built and everything visited once: %d ms of CPU%n", built / 1_000_000);
        System.out.printf("engine state: %d MiB%n", (heap() - before) >> 20);
        if (!agent.quiet()) {
            throw new IllegalStateException("the steady state is not steady");
        }
        podChanges(objects, loop, nodes);
        podsComeAndGo(objects, loop, nodes);
        idle(loop);
        death(objects, loop, agent);
    }

    private static void podChanges(Objects objects, Loop loop, int nodes) {
        int rounds = 20_000;
        for (int warm = 0; warm < 2; warm++) {
            long start = cpu();
            for (int i = 0; i < rounds; i++) {
                objects.touchPod("n" + (i % nodes) + "-0");
                loop.runReady();
            }
            System.out.printf(
                    "one pod changed (10 volumes), decided: %.1f us of CPU%n", (cpu() - start) / 1000.0 / rounds);
        }
    }

    /** A pod with ten volumes that its node uses goes and comes: 100 volumes of the node are weighed. */
    private static void podsComeAndGo(Objects objects, Loop loop, int nodes) {
        int rounds = 2_000;
        for (int warm = 0; warm < 3; warm++) {
            long start = cpu();
            for (int i = 0; i < rounds; i++) {
                Pod pod = objects.removePod("n" + (i % nodes) + "-0");
                loop.runUntilCalls();
                objects.put(pod);
                loop.runUntilCalls();
            }
            System.out.printf(
                    "one pod gone or come (10 volumes), decided: %.1f us of CPU%n",
                    (cpu() - start) / 1000.0 / rounds / 2);
        }
    }

    /** Ten minutes of the resync's timer, as fast as they go. */
    private static void idle(Loop loop) {
        long start = cpu();
        loop.pass(Duration.ofMinutes(10));
        long used = cpu() - start;
        System.out.printf("idle for 10 min: %.1f ms of CPU (%.5f %%)%n", used / 1e6, used / 6e11 * 100);
    }

    private static void death(Objects objects, Loop loop, AttachAgent agent) {
        for (int i = 1; i <= 5; i++) {
            String node = "n" + i;
            objects.notReady(node);
            objects.removePods(node);
            loop.runReady();
            long start = cpu();
            var done = agent.fence(new Fence(Fence.Kind.AUTHORITY_PROOF, node, "off"));
            loop.runUntilCalls();
            long decided = cpu() - start;
            System.out.printf(
                    "death of a node with its volumes, decided: %.2f ms of CPU, %d calls, known %s%n",
                    decided / 1e6, loop.dropCalls(), done.join());
        }
    }

    /** Of this thread: the machine may be busy with other things. */
    private static long cpu() {
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }

    private static long heap() {
        for (int i = 0; i < 3; i++) {
            System.gc();
        }
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }

    /** Loop and workers on one thread, with timers that the bench lets pass. */
    private static final class Loop implements EventLoop {
        private final ArrayDeque<Runnable> tasks = new ArrayDeque<>();
        private final ArrayDeque<Runnable> calls = new ArrayDeque<>();
        private final PriorityQueue<Alarm> alarms = new PriorityQueue<>(
                java.util.Comparator.comparingLong(Alarm::at).thenComparingLong(Alarm::number));
        private long passed;
        private long number;

        private record Alarm(long at, long number, Runnable task) {}

        void work(Runnable call) {
            calls.add(call);
        }

        void runReady() {
            do {
                runUntilCalls();
                Runnable call = calls.poll();
                if (call != null) {
                    call.run();
                }
            } while (!tasks.isEmpty() || !calls.isEmpty());
        }

        /** Decides everything, and asks nobody. */
        void runUntilCalls() {
            Runnable task = tasks.poll();
            while (task != null) {
                task.run();
                task = tasks.poll();
            }
        }

        int dropCalls() {
            int dropped = calls.size();
            calls.clear();
            return dropped;
        }

        void pass(Duration time) {
            long end = passed + time.toNanos();
            while (!alarms.isEmpty() && alarms.peek().at() <= end) {
                Alarm alarm = alarms.remove();
                passed = Math.max(passed, alarm.at());
                alarm.task().run();
                runReady();
            }
            passed = end;
        }

        @Override
        public void execute(Runnable task) {
            tasks.add(task);
        }

        @Override
        public boolean inLoop() {
            return true;
        }

        @Override
        public long nanoTime() {
            return passed;
        }

        @Override
        public Instant now() {
            return Instant.EPOCH.plusNanos(passed);
        }

        @Override
        public Timer schedule(Duration delay, Runnable task) {
            Alarm alarm = new Alarm(passed + delay.toNanos(), number++, task);
            alarms.add(alarm);
            return () -> alarms.remove(alarm);
        }
    }

    /** A cluster that is already as it should be. */
    private static final class Objects implements ClusterSource {
        private final Map<Kind, Map<ObjectKey, ApiObject>> byKind = new EnumMap<>(Kind.class);
        private final Map<Kind, WatchListener> watches = new EnumMap<>(Kind.class);
        private long revision;

        void node(String name, int volumes) {
            Map<String, GrantList.Grant> grants = new LinkedHashMap<>();
            List<Node.AttachedVolume> attached = new ArrayList<>();
            Map<String, String> used = new LinkedHashMap<>();
            int perPod = Math.max(1, volumes / PODS_PER_NODE);
            List<PodVolume> ofPod = new ArrayList<>();
            int pod = 0;
            for (int v = 0; v < volumes; v++) {
                String volume = name + "-v" + v;
                VolumeId id = VolumeId.shared("mem", "h-" + volume);
                PersistentVolumeClaim claim = claim(volume);
                put(claim);
                put(volume(volume, claim));
                VolumeAttachment record = record(volume, id, name);
                put(record);
                grants.put(
                        id.toString(),
                        new GrantList.Grant(
                                record.metadata().name(), record.metadata().uid(), "1.old"));
                attached.add(new Node.AttachedVolume(id.toString(), "/dev/x"));
                used.put(id.toString(), record.metadata().uid());
                ofPod.add(new PodVolume(volume, new ClaimSource(volume, false)));
                if (ofPod.size() == perPod) {
                    put(pod(name + "-" + pod++, name, ofPod));
                    ofPod = new ArrayList<>();
                }
            }
            put(new Node(
                    stored(ObjectMeta.named("", name)
                            .withAnnotation(WellKnown.CONTROLLER_MANAGED_ATTACH, "true")
                            .withAnnotation(GrantKeys.GRANTS, new GrantList(grants).text())
                            .withAnnotation(GrantKeys.IN_USE, new InUseReport(1, "agent", used).text())),
                    new Node.Spec(List.of()),
                    new Node.Status(true, new ArrayList<>(used.keySet()), attached, Map.of()),
                    Unmodeled.none()));
        }

        private PersistentVolumeClaim claim(String name) {
            return new PersistentVolumeClaim(
                    stored(ObjectMeta.named("default", name)),
                    new PersistentVolumeClaim.Spec(
                            List.of(AccessMode.READ_WRITE_ONCE),
                            SIZE,
                            "",
                            VolumeMode.FILESYSTEM,
                            "pv-" + name,
                            null,
                            null,
                            null,
                            ""),
                    new PersistentVolumeClaim.Status(
                            ClaimPhase.BOUND, List.of(AccessMode.READ_WRITE_ONCE), SIZE, Map.of(), Map.of(), ""),
                    Unmodeled.none());
        }

        private PersistentVolume volume(String name, PersistentVolumeClaim claim) {
            return new PersistentVolume(
                    stored(ObjectMeta.named("", "pv-" + name)),
                    new PersistentVolume.Spec(
                            SIZE,
                            List.of(AccessMode.READ_WRITE_ONCE),
                            ReclaimPolicy.RETAIN,
                            "",
                            VolumeMode.FILESYSTEM,
                            ObjectReference.to(claim),
                            List.of(),
                            null,
                            "",
                            CsiSource.of("mem", "h-" + name, "", Map.of())),
                    new PersistentVolume.Status(VolumePhase.BOUND, "", ""),
                    Unmodeled.none());
        }

        private VolumeAttachment record(String name, VolumeId id, String node) {
            return new VolumeAttachment(
                    stored(ObjectMeta.named("", AttachmentName.exclusive("mem", id))
                            .withAnnotation(GrantKeys.VOLUME, id.toString())
                            .withAnnotation(GrantKeys.GENERATION, "1.old")
                            .withAnnotation(GrantKeys.DEVICE_PATH, "/dev/x")
                            .withAnnotation(GrantKeys.MODE, GrantKeys.DIRECT)
                            .withFinalizers(List.of(GrantKeys.FINALIZER))),
                    VolumeAttachment.Spec.ofVolume("mem", node, "pv-" + name),
                    new VolumeAttachment.Status(true, Map.of(), null, null),
                    Unmodeled.none());
        }

        private Pod pod(String name, String node, List<PodVolume> volumes) {
            return new Pod(
                    stored(ObjectMeta.named("default", name)),
                    new Pod.Spec(node, volumes, List.of(), List.of(), Pod.SecurityContext.none(), ""),
                    new Pod.Status(PodPhase.RUNNING, List.of(new Pod.ContainerStatus("app", true))),
                    Unmodeled.none());
        }

        /** As the store would have it. */
        private ObjectMeta stored(ObjectMeta meta) {
            revision++;
            return new ObjectMeta(
                    meta.name(),
                    meta.namespace(),
                    meta.uid().isEmpty() ? "uid-" + revision : meta.uid(),
                    String.valueOf(revision),
                    0,
                    meta.labels(),
                    meta.annotations(),
                    meta.finalizers(),
                    meta.ownerReferences(),
                    null,
                    null);
        }

        private void put(ApiObject object) {
            byKind.computeIfAbsent(object.kind(), kind -> new LinkedHashMap<>()).put(object.key(), object);
            WatchListener watch = watches.get(object.kind());
            if (watch != null) {
                watch.onEvent(WatchEvent.changed(object));
            }
        }

        private Node nodeNow(String name) {
            return (Node) readLive(ObjectKey.node(name)).orElseThrow();
        }

        void touchPod(String name) {
            Pod pod = (Pod) readLive(ObjectKey.pod("default", name)).orElseThrow();
            boolean running = pod.status().phase() == PodPhase.RUNNING;
            put(new Pod(
                    stored(pod.metadata()),
                    pod.spec(),
                    new Pod.Status(
                            running ? PodPhase.PENDING : PodPhase.RUNNING,
                            pod.status().containerStatuses()),
                    pod.unmodeled()));
        }

        void notReady(String name) {
            Node node = nodeNow(name);
            put(new Node(
                    stored(node.metadata()),
                    node.spec(),
                    new Node.Status(
                            false, node.status().volumesInUse(), node.status().volumesAttached(), Map.of()),
                    node.unmodeled()));
        }

        void removePods(String node) {
            for (int pod = 0; pod < PODS_PER_NODE; pod++) {
                removePod(node + "-" + pod);
            }
        }

        /** Comes back under another UID. */
        Pod removePod(String name) {
            ObjectKey key = ObjectKey.pod("default", name);
            if (!(byKind.getOrDefault(Kind.POD, Map.of()).remove(key) instanceof Pod gone)) {
                throw new IllegalArgumentException("no pod " + name);
            }
            WatchListener watch = watches.get(Kind.POD);
            if (watch != null) {
                watch.onEvent(WatchEvent.deleted(gone, String.valueOf(++revision)));
            }
            return new Pod(stored(gone.metadata().withUid("")), gone.spec(), gone.status(), gone.unmodeled());
        }

        @Override
        public Listing list(Kind kind, Selection selection) {
            return new Listing(
                    new ArrayList<>(byKind.getOrDefault(kind, Map.of()).values()), String.valueOf(revision));
        }

        @Override
        public Watch watch(Kind kind, Selection selection, String from, WatchListener listener) {
            watches.put(kind, listener);
            return () -> watches.remove(kind);
        }

        @Override
        public Optional<ApiObject> readLive(ObjectKey key) {
            return Optional.ofNullable(byKind.getOrDefault(key.kind(), Map.of()).get(key));
        }
    }
}
