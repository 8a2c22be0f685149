package io.volume4j.core.linux.tool;

import io.volume4j.spi.VolumeException;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;

/**
 * Finds and kills the processes of executed tools, by a variable in their environment that their children inherit: the
 * operation. It outlives the JVM that started them. Thread-safe.
 */
public final class ToolProcesses {
    /** The variable with the operation, in the environment of every program that the backend runs. */
    static final String OPERATION = "VOLUME4J_OPERATION";

    /** One second in total, for an exec that waits for a slow disk. */
    private static final int LOOKS = 1000;

    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(1);
    /** A process may start another before it is killed; each round finds those that the last one left. */
    private static final int ROUNDS = 20;

    private final Path proc;
    private final Runnable pause;

    public ToolProcesses() {
        this(Path.of("/proc"), () -> LockSupport.parkNanos(BETWEEN_LOOKS.toNanos()));
    }

    /**
     * With files and time of a test's own.
     *
     * @param proc the directory of the kernel's process files
     * @param pause waits between two looks
     */
    ToolProcesses(Path proc, Runnable pause) {
        this.proc = proc;
        this.pause = pause;
    }

    /**
     * Live processes with a matching operation. A dead process that its parent has not reaped has no environment any
     * more. The search repeats a process that is executing another program until its environment is readable.
     */
    public List<ProcessHandle> ofOperations(Predicate<String> operation) {
        List<ProcessHandle> found = new ArrayList<>();
        List<RunningProcess> unknown = sort(running(), operation, found);
        for (int look = 1; look < LOOKS && !unknown.isEmpty(); look++) {
            pause.run();
            unknown = sort(unknown, operation, found);
        }
        return found;
    }

    /**
     * Adds the processes with a matching operation to {@code found}. Returns those whose operation cannot be read yet.
     */
    private static List<RunningProcess> sort(
            List<RunningProcess> processes, Predicate<String> operation, List<ProcessHandle> found) {
        List<RunningProcess> unknown = new ArrayList<>();
        for (RunningProcess process : processes) {
            Optional<String> its = process.variable(OPERATION);
            if (its.isEmpty()) {
                unknown.add(process);
            } else if (operation.test(its.get())) {
                found.add(process.handle());
            }
        }
        return unknown;
    }

    private List<RunningProcess> running() {
        List<RunningProcess> running = new ArrayList<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(proc, "[0-9]*")) {
            for (Path entry : entries) {
                ProcessHandle.of(Long.parseLong(entry.getFileName().toString()))
                        .ifPresent(handle -> running.add(new RunningProcess(handle, entry)));
            }
        } catch (IOException e) {
            throw VolumeException.transientFailure("cannot list " + proc + ": " + e.getMessage());
        }
        return running;
    }

    /** Kills them. Returns when all have ended, or returns those that still run after the time limit. */
    public List<ProcessHandle> end(Predicate<String> operation, Duration patience) {
        List<ProcessHandle> living = ofOperations(operation);
        for (int round = 0; round < ROUNDS && !living.isEmpty(); round++) {
            living.forEach(ProcessHandle::destroyForcibly);
            for (ProcessHandle process : living) {
                if (!endsWithin(process, patience)) {
                    // The process waits in the kernel for a device. The others are killed as well.
                    return ofOperations(operation);
                }
            }
            living = ofOperations(operation);
        }
        return living;
    }

    private static boolean endsWithin(ProcessHandle process, Duration patience) {
        try {
            process.onExit().get(patience.toMillis(), TimeUnit.MILLISECONDS);
            return true;
        } catch (TimeoutException e) {
            return false;
        } catch (OutOfMemoryError noThread) {
            // Java waits for a process on a separate thread. The next look finds out whether it still runs.
            return false;
        } catch (ExecutionException e) {
            throw new IllegalStateException("waiting for process " + process.pid(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
