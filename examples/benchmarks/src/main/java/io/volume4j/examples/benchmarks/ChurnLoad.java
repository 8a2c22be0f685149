package io.volume4j.examples.benchmarks;

import io.volume4j.examples.benchmarks.measure.Meter;
import io.volume4j.examples.benchmarks.world.BenchCluster;
import io.volume4j.examples.benchmarks.world.BenchNode;
import io.volume4j.examples.benchmarks.world.HandOnCluster;
import io.volume4j.examples.benchmarks.world.NoOpPlugin;
import io.volume4j.examples.benchmarks.world.Things;
import io.volume4j.inmemory.cluster.InMemoryCluster;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Pods that come, get their volumes, and go, over and over.
 *
 * @param handedOn whether the pods come from a host that hands them on, and not from the cluster in memory
 * @param journalInMemory otherwise on the disk, synced
 */
record ChurnLoad(boolean handedOn, boolean journalInMemory, int pods) {
    static final int VOLUMES = 10;

    /**
     * How much was done.
     *
     * @param processorNanos for a step, of which a cycle has two
     */
    record Rate(long cycles, double perSecond, double processorNanos, double bytes) {
        String line() {
            return cycles + " " + perSecond + " " + processorNanos + " " + bytes;
        }

        static Rate of(String line) {
            String[] fields = line.split(" ");
            return new Rate(
                    Long.parseLong(fields[0]),
                    Double.parseDouble(fields[1]),
                    Double.parseDouble(fields[2]),
                    Double.parseDouble(fields[3]));
        }
    }

    List<String> arguments() {
        return List.of(String.valueOf(handedOn), String.valueOf(journalInMemory), String.valueOf(pods));
    }

    static ChurnLoad of(List<String> arguments) {
        return new ChurnLoad(
                Boolean.parseBoolean(arguments.get(0)),
                Boolean.parseBoolean(arguments.get(1)),
                Integer.parseInt(arguments.get(2)));
    }

    String source() {
        return handedOn ? "the host, handed on" : "the cluster in memory";
    }

    String journal() {
        return journalInMemory ? "in memory" : "on the disk, synced";
    }

    /** Runs it in this JVM for so long, in nanoseconds. */
    Rate run(Path root, long warmUp, long measured) throws Exception {
        BenchCluster cluster = handedOn ? new HandOnCluster() : BenchCluster.of(InMemoryCluster.create());
        try (BenchNode node =
                BenchNode.started(Files.createDirectories(root), journalInMemory, cluster, new NoOpPlugin())) {
            cycles(node, "warm-", warmUp);
            Meter meter = Meter.start();
            long cycles = cycles(node, "pod-", measured);
            Meter.Reading used = meter.stop();
            double steps = 2.0 * cycles;
            return new Rate(
                    cycles, cycles * 1e9 / used.wallNanos(), used.cpuNanos() / steps, used.allocatedBytes() / steps);
        }
    }

    /** Every pod comes and goes by itself until the time is over; returns the cycles of volumes. */
    private long cycles(BenchNode node, String prefix, long nanos) throws Exception {
        AtomicLong cycles = new AtomicLong();
        List<CompletableFuture<Void>> ends = new ArrayList<>();
        long until = System.nanoTime() + nanos;
        for (int i = 0; i < pods; i++) {
            CompletableFuture<Void> end = new CompletableFuture<>();
            ends.add(end);
            turn(node, new AtomicLong(), prefix + i + "-", until, cycles, end);
        }
        for (CompletableFuture<Void> end : ends) {
            BenchNode.await(end);
        }
        return cycles.get();
    }

    @SuppressWarnings("FutureReturnValueIgnored") // What comes of it goes to the end.
    private static void turn(
            BenchNode node,
            AtomicLong turns,
            String prefix,
            long until,
            AtomicLong cycles,
            CompletableFuture<Void> end) {
        if (System.nanoTime() >= until) {
            end.complete(null);
            return;
        }
        // A pod's UID is never seen again once it is gone, so every turn has a pod of its own.
        String pod = prefix + turns.incrementAndGet();
        CompletableFuture<?> cycle =
                node.add(Things.pod(pod, NoOpPlugin.NAME, VOLUMES)).thenCompose(mounted -> node.remove(pod));
        cycle.whenComplete((done, failure) -> {
            if (failure != null) {
                end.completeExceptionally(failure);
                return;
            }
            cycles.addAndGet(VOLUMES);
            turn(node, turns, prefix, until, cycles, end);
        });
    }
}
