package io.volume4j.examples.benchmarks.workload;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.PrintStream;
import java.io.Reader;
import java.io.StringReader;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** {@code replay}: plays a workload and writes one line for each operation. */
public final class ReplayCommand {
    private static final String USAGE = """
            usage: java -jar benchmarks.jar replay [OPTION VALUE]... FILE|- > RESULTS

              FILE|-               a workload, or - for standard input
              --implementation I   library (default), or polling-design-model: a model of the field's polling design
              --journal J          memory (default), or disk: intents are synced before each call; of the library only
              --warm-up-pods N     pods of another workload that come and go before, not told of; default 2000; of the library
                                   only, whose compiler it is for
              --speed X            by how much faster than the file's times; default 1; 0: one pod after another, at once
              --patience-s N       how long nothing may become visible at the end before the rest is given up; default 60

            The format of both files stands in docs/workload-format.md. A summary goes to standard error. Exit code: 0, or 1 if
            an operation did not become visible or the backend is not in the state that the workload ends with, 2 for a wrong
            command line or workload.
            """;

    private static final String LIBRARY = "library";

    private ReplayCommand() {}

    /** Returns the exit code. */
    public static int run(List<String> arguments, InputStream in, PrintStream out, PrintStream errors)
            throws IOException, InterruptedException {
        if (arguments.contains("--help") || arguments.contains("-h")) {
            out.print(USAGE);
            return 0;
        }
        try {
            Arguments given = new Arguments(
                    arguments, List.of("--implementation", "--journal", "--warm-up-pods", "--speed", "--patience-s"));
            String file = given.rest();
            if (file == null) {
                throw new WorkloadException("the file is missing");
            }
            try (Reader reader = file.equals("-")
                    ? new InputStreamReader(in, StandardCharsets.UTF_8)
                    : Files.newBufferedReader(Path.of(file))) {
                return play(given, new WorkloadReader(reader), out, errors);
            }
        } catch (NoSuchFileException e) {
            errors.println("there is no file " + e.getMessage());
            return 2;
        } catch (WorkloadException e) {
            errors.println(e.getMessage());
            return 2;
        }
    }

    private static int play(Arguments given, WorkloadReader workload, PrintStream out, PrintStream errors)
            throws IOException, InterruptedException {
        double speed = given.share("--speed", 1);
        if (!(speed >= 0)) {
            throw new WorkloadException("--speed must be 0 or more");
        }
        warmUp(given);
        Stopwatch clock = new Stopwatch();
        ScriptedBackend backend = new ScriptedBackend(workload.header().backendNanos(), clock);
        Writer writer = new BufferedWriter(new OutputStreamWriter(out, StandardCharsets.UTF_8));
        Path scratch = Files.createTempDirectory("volume4j-replay-").toRealPath();
        try (Target target = target(given, backend, scratch)) {
            Replay replay = new Replay(workload, target, backend, clock, speed, writer);
            Replay.Outcome outcome = replay.run(TimeUnit.SECONDS.toNanos(given.number("--patience-s", 60)));
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

    /** The same implementation with a workload of its own, which leaves nothing behind. */
    private static void warmUp(Arguments given) throws IOException, InterruptedException {
        int pods = given.size("--warm-up-pods", 2_000);
        if (pods == 0 || !given.text("--implementation", LIBRARY).equals(LIBRARY)) {
            return;
        }
        StringWriter text = new StringWriter();
        WorkloadWriter lines = new WorkloadWriter(text);
        lines.header(new WorkloadHeader(0, 0));
        new Generator(new WorkloadOptions(0, pods, 1, 1, 0, 1e6, 0, 0, 0, 0)).generate(lines::operation);
        Stopwatch clock = new Stopwatch();
        ScriptedBackend backend = new ScriptedBackend(0, clock);
        Path scratch = Files.createTempDirectory("volume4j-replay-").toRealPath();
        try (Target target = target(given, backend, scratch)) {
            new Replay(
                            new WorkloadReader(new StringReader(text.toString())),
                            target,
                            backend,
                            clock,
                            0,
                            Writer.nullWriter())
                    .run(TimeUnit.MINUTES.toNanos(1));
        } finally {
            delete(scratch);
        }
    }

    private static Target target(Arguments given, ScriptedBackend backend, Path scratch) {
        String journal = given.text("--journal", "memory");
        if (!List.of("memory", "disk").contains(journal)) {
            throw new WorkloadException("--journal is memory or disk");
        }
        return switch (given.text("--implementation", LIBRARY)) {
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
