package io.volume4j.examples.benchmarks.workload;

import java.io.IOException;
import java.io.StringReader;
import java.io.StringWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;

/**
 * Pods with a claim each that arrive as on a node in use: some tens per second with pauses in between. So threads sleep and caches
 * are cold. Played like a workload file.
 */
public final class PacedArrivals {
    public static final double PODS_PER_SECOND = 33;

    private static final long PATIENCE = TimeUnit.MINUTES.toNanos(1);

    private PacedArrivals() {}

    /** The implementations. */
    public enum Implementation {
        LIBRARY_JOURNAL_IN_MEMORY,
        LIBRARY_JOURNAL_ON_DISK,
        POLLING_DESIGN_MODEL;

        Target target(ScriptedBackend backend, Path root) {
            return this == POLLING_DESIGN_MODEL
                    ? new ModelTarget(backend)
                    : new LibraryTarget(backend, root, this == LIBRARY_JOURNAL_ON_DISK);
        }
    }

    /**
     * Plays all pods.
     *
     * @param warmUpPods pods before the measurement on another node, one directly after another, for the compiler; the model needs
     *     none
     * @param nanos gets the time from each pod's arrival until its volume is mounted, on any thread
     */
    public static void play(Implementation implementation, int warmUpPods, int pods, Path scratch, LongConsumer nanos)
            throws IOException, InterruptedException {
        if (implementation != Implementation.POLLING_DESIGN_MODEL) {
            WorkloadOptions atOnce = new WorkloadOptions(0, warmUpPods, 1, 1, 0, 1e6, 0, 0, 0, 0);
            play(implementation, atOnce, 0, scratch.resolve("warm-up"), ignored -> {});
        }
        WorkloadOptions paced =
                new WorkloadOptions(1, pods, 1, 1, 0, PODS_PER_SECOND, TimeUnit.SECONDS.toNanos(1), 0, 0, 0);
        play(implementation, paced, 1, scratch.resolve("paced"), nanos);
    }

    private static void play(
            Implementation implementation, WorkloadOptions options, double speed, Path root, LongConsumer nanos)
            throws IOException, InterruptedException {
        Stopwatch clock = new Stopwatch();
        ScriptedBackend backend = new ScriptedBackend(options.backendNanos(), clock);
        try (Target target = new Timed(implementation.target(backend, Files.createDirectories(root)), nanos)) {
            Replay replay = new Replay(generated(options), target, backend, clock, speed, Writer.nullWriter());
            Replay.Outcome outcome = replay.run(PATIENCE);
            if (outcome.failures() > 0) {
                throw new IllegalStateException(outcome.failures() + " operations did not become visible");
            }
        }
    }

    static WorkloadReader generated(WorkloadOptions options) throws IOException {
        StringWriter text = new StringWriter();
        WorkloadWriter lines = new WorkloadWriter(text);
        lines.header(new WorkloadHeader(options.seed(), options.backendNanos()));
        new Generator(options).generate(lines::operation);
        return new WorkloadReader(new StringReader(text.toString()));
    }

    private record Timed(Target target, LongConsumer mounts) implements Target {
        @Override
        public void prepare(String node, List<String> volumes) {
            target.prepare(node, volumes);
        }

        @Override
        public CompletableFuture<?> mount(String pod, String node, List<String> volumes) {
            long asked = System.nanoTime();
            return target.mount(pod, node, volumes).thenRun(() -> mounts.accept(System.nanoTime() - asked));
        }

        @Override
        public CompletableFuture<?> unmount(String pod, String node) {
            return target.unmount(pod, node);
        }

        @Override
        public void close() {
            target.close();
        }
    }
}
