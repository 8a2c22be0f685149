package io.volume4j.examples.agent;

import io.volume4j.examples.commandline.Terminal;
import io.volume4j.examples.commandline.TextFile;
import io.volume4j.examples.commandline.Usage;
import io.volume4j.ui.LiveTop;
import java.io.BufferedReader;
import java.io.Console;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Shows a live view in the terminal. */
@Command(
        name = "top",
        mixinStandardHelpOptions = true,
        description =
                "Shows what a process that was started with --ui does. The token is asked for, or read from a file: what stands on a"
                        + " command line, every user of the machine can read.")
final class TopCommand implements Callable<Integer> {
    private final PrintStream out;

    @Parameters(paramLabel = "127.0.0.1:PORT", converter = Words.Address.class, description = "where the view listens")
    private @Nullable InetSocketAddress address;

    @Option(names = "--token-file", paramLabel = "FILE", description = "holds the token, the part of the link behind #")
    private @Nullable Path tokenFile;

    @Option(names = "--once", description = "print a table and end")
    private boolean once;

    @Option(
            names = "--width",
            paramLabel = "COLUMNS",
            defaultValue = "120",
            description = "${DEFAULT-VALUE} by default")
    private int width;

    @Option(names = "--height", paramLabel = "LINES", defaultValue = "40", description = "${DEFAULT-VALUE} by default")
    private int height;

    TopCommand(PrintStream out) {
        this.out = out;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (address == null) {
            throw new Usage("needs the address of a live view");
        }
        LiveTop top = top(Words.Address.http(address), token());
        if (once) {
            out.print(top.once(width));
        } else {
            top.watch(out, width, height);
        }
        return 0;
    }

    private static LiveTop top(URI view, String token) {
        try {
            return new LiveTop(view, token);
        } catch (IllegalArgumentException noToken) {
            throw new Usage(String.valueOf(noToken.getMessage()));
        }
    }

    /** The JDK has a console if input and output are a terminal; later JDKs also without one, which then reads standard input. */
    @SuppressWarnings("SystemConsoleNull")
    private String token() throws IOException {
        if (tokenFile != null) {
            return TextFile.read("--token-file", tokenFile).strip();
        }
        if (Terminal.isInput()) {
            @Nullable Console console = System.console();
            return typed(console == null ? null : console::readPassword);
        }
        String line = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8)).readLine();
        if (line == null) {
            throw new Usage("needs --token-file, or the token on standard input");
        }
        return line.strip();
    }

    /**
     * The token that a person types.
     *
     * @param hidden asks without showing what is typed, and returns null at the end of the input; null if the JDK has no console,
     *     because the output is not a terminal
     */
    static String typed(@Nullable Function<String, char @Nullable []> hidden) {
        if (hidden == null) {
            throw new Usage(
                    "cannot ask for the token while the output is not a terminal: give --token-file, or the token on"
                            + " standard input");
        }
        char @Nullable [] token = hidden.apply("token: ");
        if (token == null) {
            throw new Usage("needs the token, the part of the link behind #");
        }
        return new String(token).strip();
    }
}
