package io.volume4j.examples.agent;

import io.volume4j.core.codec.ManifestException;
import io.volume4j.examples.commandline.Program;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.host.ClusterException;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/** The program; {@code --help} describes it. */
public final class Agent {
    private static final Duration CLOSING = Duration.ofSeconds(20);

    /** The seconds in which a request must come whole. By default the JDK's server waits without limit, and serves no other peer. */
    private static final String REQUEST_TIME = "sun.net.httpserver.maxReqTime";

    private Agent() {}

    public static void main(String[] words) {
        if (System.getProperty(REQUEST_TIME) == null) {
            System.setProperty(REQUEST_TIME, "20");
        }
        StopSignal stop = new StopSignal();
        Thread main = Thread.currentThread();
        Runtime.getRuntime()
                .addShutdownHook(new Thread(
                        () -> {
                            stop.ask();
                            stop.holdBack(main, CLOSING);
                        },
                        "agent-stop"));
        PrintStream out = inUtf8(System.out);
        int code = run(words, out, System.err, stop);
        out.flush();
        // Ends the hook too: otherwise the signal would determine the exit code of the process.
        Runtime.getRuntime().halt(code);
    }

    /**
     * The same stream for text in UTF-8, which manifests are in. The JDK's own stream has the encoding of the locale: without one, as in
     * most containers, it would replace each letter that is not ASCII by a question mark.
     */
    static PrintStream inUtf8(PrintStream out) {
        return new PrintStream(out, false, StandardCharsets.UTF_8);
    }

    /** The program without its process; returns the exit code. */
    static int run(String[] words, PrintStream out, PrintStream err, StopSignal stop) {
        Running running = new Running(err, stop);
        int code = Program.of(new AgentCommand(out, err, stop))
                .subcommands(
                        new NodeCommand(running, out),
                        new ControllersCommand(running),
                        new SnapshotMetadataCommand(running),
                        new TopCommand(out),
                        new CheckCommand(out))
                .failure(ManifestException.class, Program.WRONG_USAGE)
                .failure(VolumeException.class, 1)
                .failure(ClusterException.class, 1)
                .failure(IOException.class, 1)
                .failure(UncheckedIOException.class, 1)
                .run(words, out, err);
        return Program.written(code, out, err);
    }
}
