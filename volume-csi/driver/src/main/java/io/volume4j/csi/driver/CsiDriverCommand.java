package io.volume4j.csi.driver;

import io.volume4j.csi.CsiEndpoint;
import io.volume4j.csi.driver.options.DriverOptions;
import io.volume4j.csi.driver.oracle.CallRecord;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * The driver as a program of its own; {@code examples/csi-driver} makes it runnable.
 *
 * @since 0.1.0
 */
public final class CsiDriverCommand {
    /** As of a process that SIGKILL has ended. */
    private static final int KILLED = 137;

    /** Says a stack trace for each connection that is broken on purpose; held, or its level would be forgotten. */
    private static final Logger GRPC = Logger.getLogger("io.grpc");

    private CsiDriverCommand() {}

    /**
     * Runs until the process is asked to end (SIGTERM, Ctrl-C), then takes down its mounts and sockets and ends the process: with
     * 0 when all went well, 1 when it could not start, 2 when it was asked for something wrong. Does not return.
     */
    public static void main(String[] arguments) {
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
            int code = run(arguments, System.getenv(), System.out, System.err, asked);
            System.out.flush();
            // Under the hook that still waits: were it to return, the process could end with the signal's code instead.
            Runtime.getRuntime().halt(code);
        } finally {
            ended.countDown();
        }
    }

    static int run(
            String[] words, Map<String, String> environment, PrintStream out, PrintStream err, CountDownLatch asked) {
        DriverArguments arguments;
        try {
            arguments = DriverArguments.parse(words, environment);
        } catch (IllegalArgumentException wrong) {
            err.println("error: " + wrong.getMessage());
            return 2;
        }
        DriverOptions options = arguments.options();
        if (options == null) {
            out.print(DriverArguments.USAGE);
            return 0;
        }
        try (CsiTestDriver driver = CsiTestDriver.start(
                options,
                InstantSource.system(),
                losingState -> Runtime.getRuntime().halt(KILLED))) {
            driver.faults().add(arguments.faults());
            if (arguments.logCalls()) {
                driver.calls().listen(call -> out.println(line(call)));
            }
            try (Control control = arguments.control() == null ? null : new Control(driver, arguments.control())) {
                out.println("csi-driver %s %s, node %s, %s"
                        .formatted(options.name(), options.version(), options.nodeId(), driver.mounts()));
                out.println("listening at " + new CsiEndpoint(options.socket()));
                if (control != null) {
                    out.println("commands at " + arguments.control());
                }
                out.flush();
                awaitUninterrupted(asked);
            }
        } catch (IllegalArgumentException wrong) {
            err.println("error: " + wrong.getMessage());
            return 2;
        } catch (IOException | UncheckedIOException | IllegalStateException failed) {
            err.println("error: " + failed.getMessage());
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
