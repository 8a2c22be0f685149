package io.volume4j.examples.csidriver;

import io.volume4j.csi.CsiEndpoint;
import io.volume4j.csi.driver.ControlSocket;
import io.volume4j.csi.driver.CsiTestDriver;
import io.volume4j.csi.driver.options.DriverOptions;
import io.volume4j.csi.driver.oracle.CallRecord;
import io.volume4j.examples.commandline.FileReason;
import io.volume4j.examples.commandline.Program;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * The test driver as a program. Runs until the process is asked to end (SIGTERM, Ctrl-C), then takes down its mounts and sockets.
 * The driver itself is the artifact {@code volume-csi-driver}.
 */
public final class CsiDriver {
    /** As of a process that SIGKILL has ended. */
    private static final int KILLED = 137;

    /** Logs a stack trace for each connection that is broken on purpose; held, or its level would be forgotten. */
    private static final Logger GRPC = Logger.getLogger("io.grpc");

    private final PrintStream out;
    private final PrintStream err;
    private final CountDownLatch asked;

    private CsiDriver(PrintStream out, PrintStream err, CountDownLatch asked) {
        this.out = out;
        this.err = err;
        this.asked = asked;
    }

    public static void main(String[] words) {
        GRPC.setLevel(Level.OFF);
        CountDownLatch asked = new CountDownLatch(1);
        CountDownLatch ended = new CountDownLatch(1);
        Thread hook = new Thread(
                () -> {
                    asked.countDown();
                    awaitUninterrupted(ended);
                },
                "csi-driver-stop");
        Runtime.getRuntime().addShutdownHook(hook);
        try {
            int code = run(words, System.getenv(), System.out, System.err, asked);
            System.out.flush();
            // Under the hook that still waits: were it to return, the process could end with the signal's code instead.
            Runtime.getRuntime().halt(code);
        } finally {
            ended.countDown();
        }
    }

    /** The program without its process; the exit code. */
    static int run(
            String[] words, Map<String, String> environment, PrintStream out, PrintStream err, CountDownLatch asked) {
        CsiDriver program = new CsiDriver(out, err, asked);
        return Program.of(new DriverCommand(environment, program::serve)).run(words, out, err);
    }

    private int serve(DriverCommand.Driver wanted) {
        DriverOptions options = wanted.options();
        try (CsiTestDriver driver = CsiTestDriver.start(
                options, InstantSource.system(), () -> Runtime.getRuntime().halt(KILLED))) {
            driver.faults().add(wanted.faults());
            if (wanted.logCalls()) {
                driver.calls().listen(call -> out.println(line(call)));
            }
            try (ControlSocket control =
                    wanted.control() == null ? null : new ControlSocket(driver, wanted.control())) {
                out.println("csi-driver %s %s, node %s, %s"
                        .formatted(options.name(), options.version(), options.nodeId(), driver.mounts()));
                out.println("listening at " + new CsiEndpoint(options.socket()));
                if (control != null) {
                    out.println("commands at " + wanted.control());
                }
                out.flush();
                awaitUninterrupted(asked);
            }
        } catch (IllegalArgumentException wrong) {
            err.println("error: " + wrong.getMessage());
            return Program.WRONG_USAGE;
        } catch (IOException | UncheckedIOException | IllegalStateException failed) {
            err.println("error: " + FileReason.told(failed));
            return 1;
        }
        out.println("stopped");
        return 0;
    }

    private static String line(CallRecord call) {
        return "%-28s %-14s %-20s %8.1f ms  %s"
                .formatted(
                        call.rpc(), call.subject(), call.outcome(), call.took().toNanos() / 1e6, call.why())
                .stripTrailing();
    }

    private static void awaitUninterrupted(CountDownLatch latch) {
        boolean interrupted = false;
        while (true) {
            try {
                latch.await();
                break;
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
