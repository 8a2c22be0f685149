package io.volume4j.examples.benchmarks;

import io.volume4j.core.control.VolumeBinder;
import io.volume4j.core.volumes.NodeFit;
import io.volume4j.examples.benchmarks.measure.Benchmark;
import io.volume4j.examples.benchmarks.measure.Figures;
import io.volume4j.examples.benchmarks.measure.Growth;
import io.volume4j.examples.benchmarks.measure.Run;
import io.volume4j.examples.benchmarks.measure.Table;
import io.volume4j.inmemory.cluster.InMemoryCluster;
import io.volume4j.spi.host.WatchEvent;
import io.volume4j.spi.model.AccessMode;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.ClaimPhase;
import io.volume4j.spi.model.ClaimSource;
import io.volume4j.spi.model.CsiDriver;
import io.volume4j.spi.model.CsiNode;
import io.volume4j.spi.model.CsiSource;
import io.volume4j.spi.model.CsiStorageCapacity;
import io.volume4j.spi.model.LabelSelector;
import io.volume4j.spi.model.Node;
import io.volume4j.spi.model.NodeSelector;
import io.volume4j.spi.model.ObjectMeta;
import io.volume4j.spi.model.ObjectReference;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.PersistentVolumeClaim;
import io.volume4j.spi.model.Pod;
import io.volume4j.spi.model.PodVolume;
import io.volume4j.spi.model.Quantity;
import io.volume4j.spi.model.ReclaimPolicy;
import io.volume4j.spi.model.SelectorRequirement;
import io.volume4j.spi.model.StorageClass;
import io.volume4j.spi.model.Unmodeled;
import io.volume4j.spi.model.VolumeBindingMode;
import io.volume4j.spi.model.VolumeMode;
import io.volume4j.spi.model.VolumePhase;
import io.volume4j.spi.model.WellKnown;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * One request of a scheduler for one pod and all nodes. Half of the volumes are bound and in one of three zones; half are
 * available on one node each. Every node has its own pool, a limit, and a pod with a volume.
 */
final class SchedulingBenchmark implements Benchmark {
    private static final int VOLUMES_PER_NODE = 20;
    /** The objects of the requests have numbers below this, so that every size has them. */
    private static final int FEWEST = 40;

    private static final String DRIVER = "d.example.com";
    private static final String HOST = "kubernetes.io/hostname";
    private static final String ZONE = "topology.kubernetes.io/zone";
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private final InMemoryCluster cluster = InMemoryCluster.create();
    private final VolumeBinder binder =
            VolumeBinder.builder().cluster(cluster, cluster).build();
    private final List<String> nodes = new ArrayList<>();
    private long revision;

    @Override
    public String name() {
        return "scheduling";
    }

    @Override
    public String measures() {
        return "processor time of one filter call of the volume binder, all nodes at once";
    }

    @Override
    public String warmUp() {
        return "every question as often as it is measured, before";
    }

    @Override
    public void run(Run run) {
        Table table = new Table(
                "the pod's claims", "nodes", "nodes that fit", "filter p50", "filter p99", "score p50", "reserve p50");
        Map<String, Growth> growths = new LinkedHashMap<>();
        for (int size : run.sizes(5_000, 4_000)) {
            int nodeCount = Math.max(FEWEST, size);
            int volumes = VOLUMES_PER_NODE * nodeCount;
            SchedulingBenchmark world = new SchedulingBenchmark();
            long began = THREADS.getCurrentThreadCpuTime();
            world.fill(nodeCount, volumes);
            run.note(String.format(
                    Locale.ROOT,
                    "%,d nodes, %,d volumes, taken in within %,d ms of processor",
                    nodeCount,
                    volumes,
                    (THREADS.getCurrentThreadCpuTime() - began) / 1_000_000));
            for (Question question : world.questions()) {
                double filter = world.ask(question, run.size(300, 50), table);
                growths.computeIfAbsent(
                                question.what(), what -> Growth.ofTime("filter p50, " + what, "nodes of 20 volumes"))
                        .at(nodeCount, filter);
            }
        }
        run.print(table);
        growths.values().forEach(run::growth);
    }

    /** A request. */
    private record Question(String what, Pod pod, String node) {}

    private List<Question> questions() {
        return List.of(
                new Question("one bound, in a zone", pod("bound", "bound-1"), "node-1"),
                new Question(
                        "four bound, in a zone", pod("four", "bound-1", "bound-4", "bound-7", "bound-10"), "node-1"),
                new Question("one for a local volume", pod("local", "local-1"), "node-7"),
                new Question("two for local volumes", pod("locals", "local-1", "local-2"), "node-7"),
                new Question("one to be made, by capacity", pod("made", "made-1"), "node-30"),
                new Question("two to be made, by capacity", pod("mades", "made-1", "made-2"), "node-30"));
    }

    /** Returns the median of the filter. */
    private double ask(Question question, int times, Table table) {
        binder.accept(changed(question.pod()));
        long[] filters = new long[times];
        long[] scores = new long[times];
        long[] reserves = new long[times];
        int fitting = 0;
        // As many warm-up rounds, after which the compiler has finished.
        for (int i = -times; i < times; i++) {
            int slot = Math.max(i, 0);
            int[] fit = new int[1];
            filters[slot] = took(b -> {
                NodeFit found = b.filter(question.pod(), nodes);
                fit[0] = found.fitting().size();
                return fit[0];
            });
            fitting = fit[0];
            scores[slot] = took(b -> b.score(question.pod(), nodes).size());
            // A change in between, as in a cluster, so that no cache survives that a change would drop.
            reserves[slot] = took(b -> {
                b.unreserve(b.reserve(question.pod(), question.node()));
                return 0;
            });
        }
        table.row(
                question.what(),
                Figures.count(nodes.size()),
                Integer.toString(fitting),
                Figures.time(at(filters, 50)),
                Figures.time(at(filters, 99)),
                Figures.time(at(scores, 50)),
                Figures.time(at(reserves, 50)));
        return at(filters, 50);
    }

    private long took(ToLongFunction<VolumeBinder> call) {
        long began = THREADS.getCurrentThreadCpuTime();
        long unused = call.applyAsLong(binder);
        return THREADS.getCurrentThreadCpuTime() - began;
    }

    private static double at(long[] nanos, int percentile) {
        long[] sorted = nanos.clone();
        Arrays.sort(sorted);
        return sorted[Math.min(sorted.length - 1, sorted.length * percentile / 100)];
    }

    // Creates the world.

    private void fill(int nodeCount, int volumes) {
        add(storageClass("local", WellKnown.NO_PROVISIONER));
        add(storageClass("made", DRIVER));
        add(new CsiDriver(
                meta("", DRIVER),
                CsiDriver.Spec.defaults().toBuilder().storageCapacity(true).build(),
                Unmodeled.none()));
        for (int i = 0; i < nodeCount; i++) {
            addNode(i);
        }
        for (int i = 0; i < volumes / 2; i++) {
            addBound(i, nodeCount);
            add(volume("local-" + i, "local", at(HOST, "node-" + i % nodeCount), null));
        }
        for (int i = 0; i < 10; i++) {
            add(claim("local-" + i, "local", ""));
            add(claim("made-" + i, "made", ""));
        }
    }

    private void addNode(int i) {
        String name = "node-" + i;
        nodes.add(name);
        add(new Node(
                meta("", name).withLabels(Map.of(HOST, name, ZONE, "zone-" + i % 3)),
                new Node.Spec(List.of()),
                new Node.Status(true, List.of(), List.of(), Map.of()),
                Unmodeled.none()));
        add(new CsiNode(
                meta("", name),
                new CsiNode.Spec(List.of(new CsiNode.Driver(DRIVER, name, List.of(HOST), 128L))),
                Unmodeled.none()));
        add(new CsiStorageCapacity(
                meta("default", "pool-" + i),
                new LabelSelector(Map.of(HOST, name), List.of()),
                "made",
                Quantity.ofBytes((1L + i % 64) << 30),
                null,
                Unmodeled.none()));
    }

    /** A bound claim, used by a pod on one of the nodes. */
    private void addBound(int i, int nodeCount) {
        String name = "bound-" + i;
        ObjectReference claim = new ObjectReference("v1", "PersistentVolumeClaim", "default", name, "uid-" + name, "");
        add(volume("bound-" + i, "", at(ZONE, "zone-" + i % 3), claim));
        add(claim(name, "", name));
        if (i >= 20) {
            Pod pod = pod("user-" + i, name);
            add(new Pod(
                    pod.metadata(),
                    new Pod.Spec(
                            "node-" + i % nodeCount,
                            pod.spec().volumes(),
                            List.of(),
                            List.of(),
                            Pod.SecurityContext.none(),
                            ""),
                    pod.status(),
                    Unmodeled.none()));
        }
    }

    private static PersistentVolume volume(
            String name, String className, NodeSelector affinity, @Nullable ObjectReference claim) {
        return new PersistentVolume(
                meta("", name),
                new PersistentVolume.Spec(
                        Quantity.ofBytes(10L << 30),
                        List.of(AccessMode.READ_WRITE_ONCE),
                        ReclaimPolicy.RETAIN,
                        className,
                        VolumeMode.FILESYSTEM,
                        claim,
                        List.of(),
                        affinity,
                        "",
                        CsiSource.of(DRIVER, name, "", Map.of())),
                new PersistentVolume.Status(claim == null ? VolumePhase.AVAILABLE : VolumePhase.BOUND, "", ""),
                Unmodeled.none());
    }

    private static PersistentVolumeClaim claim(String name, String className, String volume) {
        ObjectMeta meta = meta("default", name);
        return new PersistentVolumeClaim(
                volume.isEmpty() ? meta : meta.withAnnotation(WellKnown.BIND_COMPLETED, "yes"),
                new PersistentVolumeClaim.Spec(
                        List.of(AccessMode.READ_WRITE_ONCE),
                        Quantity.ofBytes(10L << 30),
                        className,
                        VolumeMode.FILESYSTEM,
                        volume,
                        null,
                        null,
                        null,
                        ""),
                new PersistentVolumeClaim.Status(
                        volume.isEmpty() ? ClaimPhase.PENDING : ClaimPhase.BOUND,
                        List.of(),
                        null,
                        Map.of(),
                        Map.of(),
                        ""),
                Unmodeled.none());
    }

    private static Pod pod(String name, String... claims) {
        return new Pod(
                meta("default", name),
                new Pod.Spec(
                        "",
                        Arrays.stream(claims)
                                .map(claim -> new PodVolume(claim, new ClaimSource(claim, false)))
                                .toList(),
                        List.of(),
                        List.of(),
                        Pod.SecurityContext.none(),
                        ""),
                null,
                Unmodeled.none());
    }

    private static StorageClass storageClass(String name, String provisioner) {
        return new StorageClass(
                meta("", name),
                provisioner,
                Map.of(),
                ReclaimPolicy.DELETE,
                List.of(),
                true,
                VolumeBindingMode.WAIT_FOR_FIRST_CONSUMER,
                null,
                Unmodeled.none());
    }

    private static NodeSelector at(String label, String value) {
        return new NodeSelector(List.of(
                new NodeSelector.Term(List.of(new SelectorRequirement(label, "In", List.of(value))), List.of())));
    }

    private static ObjectMeta meta(String namespace, String name) {
        return ObjectMeta.named(namespace, name).withUid("uid-" + name);
    }

    private void add(ApiObject object) {
        binder.accept(changed(object));
    }

    private WatchEvent changed(ApiObject object) {
        revision++;
        return new WatchEvent(WatchEvent.Type.CHANGED, object, Long.toString(revision));
    }
}
