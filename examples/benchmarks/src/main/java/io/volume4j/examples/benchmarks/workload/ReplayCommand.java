package io.volume4j.examples.benchmarks.workload;

import io.volume4j.examples.commandline.FileReason;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.PrintStream;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code replay}: plays a workload and writes one line for each operation. */
@Command(
        name = "replay",
        mixinStandardHelpOptions = true,
        description = "Plays a workload and writes when each operation was done; the format of both files stands in"
                + " docs/workload-format.md. A summary goes to standard error.",
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:every operation became visible",
            "1:one did not, or the backend is not in the state that the workload ends with",
            "2:the command line or the workload is wrong"
        })
public final class ReplayCommand implements Callable<Integer> {
    private final InputStream in;
    private final PrintStream out;
    private final PrintStream errors;

    @Parameters(paramLabel = "FILE|-", description = "a workload, or - for standard input")
    private String file = "";

    @Option(
            names = "--implementation",
            paramLabel = "NAME",
            description = "library (default), or polling-design-model: a model of the field's polling design")
    private String implementation = LIBRARY;

    @Option(
            names = "--journal",
            paramLabel = "WHERE",
            description = "memory (default), or disk: intents are synced before each call; of the library only")
    private String journal = "memory";

    @Option(
            names = "--warm-up-pods",
            paramLabel = "N",
            defaultValue = "2000",
            description =
                    "pods of another workload that come and go before, not told of (${DEFAULT-VALUE}); of the library only,"
                            + " whose compiler it is for")
    private int warmUpPods;

    @Option(
            names = "--speed",
            paramLabel = "X",
            defaultValue = "1",
            description =
                    "by how much faster than the file's times (${DEFAULT-VALUE}); 0: one pod after another, at once")
    private double speed;

    @Option(
            names = "--patience-s",
            paramLabel = "N",
            defaultValue = "60",
            description =
                    "how long nothing may become visible at the end before the rest is given up (${DEFAULT-VALUE})")
    private long patience;

    private static final String LIBRARY = "library";

    public ReplayCommand(InputStream in, PrintStream out, PrintStream errors) {
        this.in = in;
        this.out = out;
        this.errors = errors;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        try (Reader reader = opened()) {
            return play(new WorkloadReader(reader));
        }
    }

    private Reader opened() {
        if (file.equals("-")) {
            return new InputStreamReader(in, StandardCharsets.UTF_8);
        }
        try {
            return Files.newBufferedReader(Path.of(file));
        } catch (IOException e) {
            throw new WorkloadException("cannot read " + file + ": " + FileReason.of(e), e);
        }
    }

    private int play(WorkloadReader workload) throws IOException, InterruptedException {
        if (!(speed >= 0)) {
            throw new WorkloadException("--speed must be 0 or more");
        }
        warmUp();
        Stopwatch clock = new Stopwatch();
        ScriptedBackend backend = new ScriptedBackend(workload.header().backendNanos(), clock);
        Writer writer = new BufferedWriter(new OutputStreamWriter(out, StandardCharsets.UTF_8));
        Path scratch = Files.createTempDirectory("volume4j-replay-").toRealPath();
        try (Target target = target(backend, scratch)) {
            Replay replay = new Replay(workload, target, backend, clock, speed, writer);
            Replay.Outcome outcome = replay.run(TimeUnit.SECONDS.toNanos(patience));
            writer.flush();
            errors.printf(
                    "operations=%d not_visible=%d backend_calls=%d calls_nobody_asked_for=%d mounted=%d of=%d"
                            + " seconds=%.3f%n",
                    outcome.operations(),
                    outcome.failures(),
                    backend.calls(),
                    backend.unexpected(),
                    backend.mounted(),
                    outcome.mounted(),
                    clock.getAsLong() / 1e9);
            return outcome.failures() == 0 && backend.mounted() == outcome.mounted() ? 0 : 1;
        } finally {
            delete(scratch);
        }
    }

    /** Runs the same implementation with a separate workload, which leaves nothing. */
    private void warmUp() throws IOException, InterruptedException {
        if (warmUpPods < 0) {
            throw new WorkloadException("--warm-up-pods is out of range: " + warmUpPods);
        }
        if (warmUpPods == 0 || !implementation.equals(LIBRARY)) {
            return;
        }
        WorkloadReader warming = PacedArrivals.generated(new WorkloadOptions(0, warmUpPods, 1, 1, 0, 1e6, 0, 0, 0, 0));
        Stopwatch clock = new Stopwatch();
        ScriptedBackend backend = new ScriptedBackend(0, clock);
        Path scratch = Files.createTempDirectory("volume4j-replay-").toRealPath();
        try (Target target = target(backend, scratch)) {
            new Replay(warming, target, backend, clock, 0, Writer.nullWriter()).run(TimeUnit.MINUTES.toNanos(1));
        } finally {
            delete(scratch);
        }
    }

    private Target target(ScriptedBackend backend, Path scratch) {
        if (!List.of("memory", "disk").contains(journal)) {
            throw new WorkloadException("--journal is memory or disk");
        }
        return switch (implementation) {
            case LIBRARY -> new LibraryTarget(backend, scratch, journal.equals("disk"));
            case "polling-design-model" -> new ModelTarget(backend);
            default -> throw new WorkloadException("--implementation is library or polling-design-model");
        };
    }

    private static void delete(Path directory) throws IOException {
        try (Stream<Path> all = Files.walk(directory)) {
            all.sorted(Comparator.reverseOrder()).forEach(path -> {
                try {
                    Files.delete(path);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
        }
    }
}
