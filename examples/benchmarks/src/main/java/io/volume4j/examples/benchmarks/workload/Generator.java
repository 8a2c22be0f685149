package io.volume4j.examples.benchmarks.workload;

import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Creates a workload from a seed: the same options give the same lines, on every machine and every JDK. */
final class Generator {
    private static final List<Fault.Kind> FAULTS =
            List.of(Fault.Kind.DELAY, Fault.Kind.FAIL_BEFORE, Fault.Kind.FAIL_AFTER);

    private final WorkloadOptions options;
    private final SplittableRandom random;
    private final PriorityQueue<Leaving> leaving =
            new PriorityQueue<>(Comparator.comparingLong(Leaving::time).thenComparingInt(Leaving::number));

    private record Leaving(long time, int number, String pod, Set<String> volumes, String node) {}

    Generator(WorkloadOptions options) {
        this.options = options;
        this.random = new SplittableRandom(options.seed());
    }

    /** Adds and removes every pod once; the lines are sorted by time. */
    void generate(Consumer<Operation> lines) {
        long time = 0;
        for (int number = 0; number < options.pods(); number++) {
            time += exponential(1e9 / options.podsPerSecond());
            leave(time, lines);
            String pod = "pod-" + number;
            String node = "node-" + random.nextInt(options.nodes());
            Set<String> volumes = volumes(pod);
            say(time, Operation.Kind.MOUNT, pod, volumes, node, lines);
            leaving.add(new Leaving(time + exponential((double) options.lifetimeNanos()), number, pod, volumes, node));
        }
        leave(Long.MAX_VALUE, lines);
    }

    private void leave(long until, Consumer<Operation> lines) {
        for (Leaving next = leaving.peek(); next != null && next.time() <= until; next = leaving.peek()) {
            leaving.remove();
            say(next.time(), Operation.Kind.UNMOUNT, next.pod(), next.volumes(), next.node(), lines);
        }
    }

    private void say(
            long time, Operation.Kind kind, String pod, Set<String> volumes, String node, Consumer<Operation> lines) {
        for (String volume : volumes) {
            lines.accept(new Operation(time, kind, pod, volume, node, fault()));
        }
    }

    private Set<String> volumes(String pod) {
        Set<String> volumes = new LinkedHashSet<>();
        while (volumes.size() < options.volumesPerPod()) {
            volumes.add(
                    options.shared() == 0
                            ? pod + "-volume-" + volumes.size()
                            : "volume-" + random.nextInt(options.shared()));
        }
        return volumes;
    }

    private @Nullable Fault fault() {
        if (random.nextDouble() >= options.faults()) {
            return null;
        }
        Fault.Kind kind = FAULTS.get(random.nextInt(FAULTS.size()));
        return new Fault(kind, kind == Fault.Kind.DELAY ? exponential((double) options.faultNanos()) : 0);
    }

    /** StrictMath, because workloads must not differ in the last bit of a logarithm. */
    private long exponential(double mean) {
        return (long) (-StrictMath.log(1 - random.nextDouble()) * mean);
    }
}
