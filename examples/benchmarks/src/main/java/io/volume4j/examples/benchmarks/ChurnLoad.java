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
 * Pods that are repeatedly added, get their volumes, and are removed.
 *
 * @param handedOn whether the pods come from a {@link HandOnCluster}, and not from the cluster in memory
 * @param journalInMemory whether the journal is in memory, or else on the disk with syncs
 */
record ChurnLoad(boolean handedOn, boolean journalInMemory, int pods) {
    static final int VOLUMES = 10;

    /**
     * The measured rate.
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

    /** Runs in this JVM for these times, in nanoseconds. */
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

    /** Adds and removes every pod independently until the time is over; returns the cycles of volumes. */
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

    @SuppressWarnings("FutureReturnValueIgnored") // The future {@code end} gets the result.
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
        // The UID of a removed pod never comes back, so every turn has a new pod.
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
