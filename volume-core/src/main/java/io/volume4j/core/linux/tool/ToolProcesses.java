package io.volume4j.core.linux.tool;

import io.volume4j.spi.VolumeException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;

/**
 * Finds and ends the processes of executed tools, by what every one of them carries in its environment and hands down to
 * its children: the operation it works for. That outlives the JVM that started it. Thread-safe.
 */
public final class ToolProcesses {
    /** Names the operation in the environment of everything that the backend executes. */
    static final String OPERATION = "VOLUME4J_OPERATION";

    private static final Path PROC = Path.of("/proc");
    /** A process may start another while it is being ended; each round finds what the last one left. */
    private static final int ROUNDS = 20;

    /** Live processes whose operation is such a one; a dead one that was not waited for has no environment any more. */
    public List<ProcessHandle> ofOperations(Predicate<String> operation) {
        List<ProcessHandle> found = new ArrayList<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(PROC, "[0-9]*")) {
            for (Path entry : entries) {
                // The handle first: it knows when the process began, so it never means a later one of that number.
                ProcessHandle.of(Long.parseLong(entry.getFileName().toString()))
                        .filter(handle -> operation.test(operationOf(entry)))
                        .ifPresent(found::add);
            }
        } catch (IOException e) {
            throw VolumeException.transientFailure("cannot list " + PROC + ": " + e.getMessage());
        }
        return found;
    }

    /** Kills them and returns when none lives, or those that patience did not see end. */
    public List<ProcessHandle> end(Predicate<String> operation, Duration patience) {
        List<ProcessHandle> living = ofOperations(operation);
        for (int round = 0; round < ROUNDS && !living.isEmpty(); round++) {
            living.forEach(ProcessHandle::destroyForcibly);
            for (ProcessHandle process : living) {
                if (!endsWithin(process, patience)) {
                    // The process waits in the kernel for a device. The other processes are killed as well.
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
            // Java waits for a process on a thread of its own. Whether it lives is found out by another look.
            return false;
        } catch (ExecutionException e) {
            throw new IllegalStateException("waiting for process " + process.pid(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** The operation that the process works for, {@code ""} if it is none of ours or gone. */
    private static String operationOf(Path process) {
        byte[] environment;
        try {
            environment = Files.readAllBytes(process.resolve("environ"));
        } catch (IOException e) {
            // It ended, or another user owns it: the tools of this process run with its rights, and it may read them.
            return "";
        }
        for (String variable : new String(environment, StandardCharsets.UTF_8).split("\0")) {
            if (variable.startsWith(OPERATION + "=")) {
                return variable.substring(OPERATION.length() + 1);
            }
        }
        return "";
    }
}
