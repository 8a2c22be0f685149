package io.volume4j.core.linux.tool;

import io.volume4j.spi.CallContext;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.mount.Programs.Ending;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs the system's tools by argument list, with three environment variables, no input and bounded output. Each runs
 * in its own session, which is killed completely at the deadline or when the call is cancelled. Java cannot start a
 * session; setsid(1) does, and then executes the tool. Thread-safe.
 */
public final class ToolRunner {
    private static final Logger log = LoggerFactory.getLogger(ToolRunner.class);

    /** The delay until a cancelled call or a full pipe is noticed. The end of the tool is noticed at once. */
    private static final Duration SLICE = Duration.ofMillis(50);

    private static final Duration PATIENCE_AFTER_KILL = Duration.ofSeconds(5);

    private final Tools tools;
    private final ToolProcesses processes;
    private final Starter starter;

    public ToolRunner(Tools tools, ToolProcesses processes) {
        this(tools, processes, ProcessBuilder::start);
    }

    ToolRunner(Tools tools, ToolProcesses processes, Starter starter) {
        this.tools = tools;
        this.processes = processes;
        this.starter = starter;
    }

    /** Starts the process of a builder. */
    @FunctionalInterface
    interface Starter {
        Process start(ProcessBuilder builder) throws IOException;
    }

    /**
     * Runs the tool to its end.
     *
     * @param limit the time limit; the call's own deadline applies if it comes first
     * @throws VolumeException transient or final, if the tool could not be started and so had no effect; uncertain, if
     *     it was started, cannot be watched, and does not end
     */
    public ToolResult run(Path tool, List<String> arguments, Duration limit, CallContext context) {
        String name = tool.getFileName().toString();
        Duration atStart = context.remaining();
        if (context.cancelled() || atStart.isNegative() || atStart.isZero()) {
            throw VolumeException.transientFailure(name + " was not started: the call is over");
        }
        Process process = start(tool, name, arguments, context.operationId());
        ToolOutput output = new ToolOutput(process.getInputStream());
        try {
            while (!endsWithin(process, output.drain() ? Duration.ZERO : SLICE)) {
                Duration left = context.remaining();
                boolean overdue = left.isNegative()
                        || left.isZero()
                        || atStart.minus(left).compareTo(limit) >= 0;
                if (overdue || context.cancelled()) {
                    return kill(process, name, output, overdue ? Ending.OVERDUE : Ending.CANCELLED, context);
                }
            }
        } catch (InterruptedException e) {
            ToolResult result = kill(process, name, output, Ending.CANCELLED, context);
            Thread.currentThread().interrupt();
            return result;
        }
        output.drainToEnd();
        close(process);
        return new ToolResult(name, Ending.EXITED, process.exitValue(), output.text(), output.wasCut());
    }

    private static boolean endsWithin(Process process, Duration slice) throws InterruptedException {
        return process.waitFor(slice.toMillis(), TimeUnit.MILLISECONDS);
    }

    private Process start(Path tool, String name, List<String> arguments, String operation) {
        List<String> command = new ArrayList<>();
        command.add(tools.require("setsid", "util-linux").toString());
        // Waits if setsid must fork. It need not fork while Java starts it in the JVM's process group.
        command.add("--wait");
        command.add(tool.toString());
        command.addAll(arguments);
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(new File("/"))
                .redirectInput(new File("/dev/null"))
                .redirectErrorStream(true);
        Map<String, String> environment = builder.environment();
        environment.clear();
        environment.put("PATH", tools.searchPath());
        environment.put("LANG", "C");
        environment.put(ToolProcesses.OPERATION, operation);
        try {
            return starter.start(builder);
        } catch (IOException e) {
            throw VolumeException.transientFailure("cannot start " + name + ": " + e.getMessage())
                    .withCause(e);
        } catch (RuntimeException | Error noThread) {
            throw unwatched(name, operation, noThread);
        }
    }

    /**
     * Java starts the program before the thread that waits for its end: without that thread, the program may still
     * run.
     */
    private VolumeException unwatched(String name, String operation, Throwable noThread) {
        String what = "cannot start " + name + ": there is no thread that could wait for it (" + noThread + ")";
        List<ProcessHandle> left = processes.end(operation::equals, PATIENCE_AFTER_KILL);
        VolumeException failure = left.isEmpty()
                ? VolumeException.transientFailure(what)
                : VolumeException.uncertain(what + "; it was killed and still runs, pids "
                        + left.stream().map(ProcessHandle::pid).toList());
        return failure.withAdvice("raise the limit of processes and threads (pids.max, ulimit -u) or end some")
                .withCause(noThread);
    }

    private ToolResult kill(Process process, String name, ToolOutput output, Ending why, CallContext context) {
        String operation = context.operationId();
        // Every process of the session has the operation, even if it left the process group.
        List<ProcessHandle> left = processes.end(operation::equals, PATIENCE_AFTER_KILL);
        if (left.isEmpty()) {
            close(process);
            return new ToolResult(name, why, 0, output.text(), output.wasCut());
        }
        log.atWarn()
                .addKeyValue("tool", name)
                .addKeyValue("operation", operation)
                .addKeyValue("pids", left.stream().map(ProcessHandle::pid).toList())
                .log("a killed program still runs; its device must not be touched");
        return new ToolResult(name, Ending.STUCK, 0, output.text(), output.wasCut());
    }

    private static void close(Process process) {
        try {
            process.getInputStream().close();
        } catch (IOException e) {
            log.atDebug().setCause(e).log("closing a tool's output failed");
        }
    }
}
