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
 * Executes the system's tools: by argument list, with an environment of three variables, nothing to read and bounded
 * output, in a session of its own that is killed as a whole at the deadline or when the call is cancelled. Java cannot
 * start a session; setsid(1) does, and becomes the tool. Thread-safe.
 */
public final class ToolRunner {
    private static final Logger log = LoggerFactory.getLogger(ToolRunner.class);

    /** How soon a cancelled call is noticed, and a full pipe. The tool's end is noticed at once. */
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

    /** Starts what was built. */
    @FunctionalInterface
    interface Starter {
        Process start(ProcessBuilder builder) throws IOException;
    }

    /**
     * Runs the tool to its end.
     *
     * @param limit at most; less if the call's own deadline comes first
     * @throws VolumeException transient or final, if it could not be started: then nothing happened; uncertain, if it was
     *     started, cannot be watched, and does not die
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
        // Waits in case it must fork, which it need not as long as Java starts it in the JVM's process group.
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

    /** Java starts the program first and the thread that waits for its end afterwards: the program may run without one. */
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
        // The whole session carries the operation, also what left its process group.
        List<ProcessHandle> left = processes.end(operation::equals, PATIENCE_AFTER_KILL);
        if (left.isEmpty()) {
            close(process);
            return new ToolResult(name, why, 0, output.text(), output.wasCut());
        }
        log.warn(
                "tool={} operation={} pids={} killed but still running; its device must not be touched",
                name,
                operation,
                left.stream().map(ProcessHandle::pid).toList());
        return new ToolResult(name, Ending.STUCK, 0, output.text(), output.wasCut());
    }

    private static void close(Process process) {
        try {
            process.getInputStream().close();
        } catch (IOException e) {
            log.debug("closing a tool's output failed", e);
        }
    }
}
