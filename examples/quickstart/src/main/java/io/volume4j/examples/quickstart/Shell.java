package io.volume4j.examples.quickstart;

import io.volume4j.core.codec.ManifestException;
import io.volume4j.examples.commandline.Program;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.host.ClusterException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeoutException;
import org.apache.commons.text.StringTokenizer;
import org.apache.commons.text.matcher.StringMatcherFactory;

/**
 * Reads commands, one on each line, until the end of the input or until the user asks to stop. If a person types the commands, the shell
 * reports a failed command and continues. In a script a failed command ends the shell, because the later commands expect its effect.
 */
final class Shell {
    private static final Duration FOR_EVER = Duration.ofDays(365);

    private final Session session;
    private final BufferedReader lines;
    private final PrintStream out;
    private final PrintStream err;
    private final StopSignal stop;
    private final boolean interactive;

    /** @param interactive whether a person types the lines */
    Shell(
            Session session,
            BufferedReader lines,
            boolean interactive,
            PrintStream out,
            PrintStream err,
            StopSignal stop) {
        this.session = session;
        this.lines = lines;
        this.interactive = interactive;
        this.out = out;
        this.err = err;
        this.stop = stop;
    }

    /**
     * Runs the commands. True if everything must be torn down.
     *
     * @throws VolumeException if a command of a script failed
     */
    boolean run() {
        out.println("type help for the commands, exit to take everything down");
        ShellCommands commands = new ShellCommands(session, out);
        ExecutorService reader = Executors.newSingleThreadExecutor(task -> {
            // A daemon, because it may wait for input for ever.
            Thread thread = new Thread(task, "quickstart-input");
            thread.setDaemon(true);
            return thread;
        });
        try (commands) {
            while (!commands.ended()) {
                prompt();
                Optional<String> line = next(reader);
                if (line.isEmpty()) {
                    return true;
                }
                run(commands, line.get());
            }
            return !commands.keeps();
        } finally {
            reader.shutdownNow();
        }
    }

    private void run(ShellCommands commands, String line) {
        String[] words = new StringTokenizer(
                        line,
                        StringMatcherFactory.INSTANCE.splitMatcher(),
                        StringMatcherFactory.INSTANCE.quoteMatcher())
                .getTokenArray();
        if (words.length == 0 || words[0].startsWith("#")) {
            return;
        }
        if (!interactive) {
            out.println("> " + line);
        }
        int code = Program.ofLines(commands)
                .failure(ManifestException.class, Program.WRONG_USAGE)
                .failure(VolumeException.class, 1)
                .failure(ClusterException.class, 1)
                .run(words, out, err);
        out.flush();
        if (code != 0 && !interactive) {
            throw VolumeException.finalFailure(
                    "the command \"" + line + "\" failed; the commands after it were not run");
        }
    }

    private void prompt() {
        if (interactive) {
            out.print("> ");
            out.flush();
        }
    }

    private Optional<String> next(ExecutorService reader) {
        CompletableFuture<Optional<String>> line = CompletableFuture.supplyAsync(
                () -> {
                    try {
                        return Optional.ofNullable(lines.readLine());
                    } catch (IOException gone) {
                        throw new UncheckedIOException(gone);
                    }
                },
                reader);
        try {
            return stop.await(line, FOR_EVER);
        } catch (TimeoutException aYearLater) {
            return Optional.empty();
        }
    }
}
