package io.volume4j.examples.benchmarks.measure;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * The processor time of every thread of a process so far, including those of the JVM, which the JDK does not report;
 * from {@code /proc}, in nanoseconds.
 */
public record TaskTimes(Map<String, Task> byNumber) {
    /** A thread with the first 15 characters of its name. */
    public record Task(String name, long nanos) {}

    /** The owner of a thread. */
    public enum Owner {
        LIBRARY("volume-"),
        COMPILER("C1 |C2 |Sweeper"),
        COLLECTOR("GC |G1 |Concurrent Mark"),
        VM("VM |Monitor Defl|Service Thread|Signal Disp|Finalizer|Reference Han|Common-Cleaner|Notification"),
        OTHERS("");

        private final Pattern beginning;

        Owner(String beginning) {
            this.beginning = Pattern.compile(beginning);
        }

        public static Owner of(String name) {
            for (Owner owner : values()) {
                if (owner.beginning.matcher(name).lookingAt()) {
                    return owner;
                }
            }
            return OTHERS;
        }
    }

    public static TaskTimes now() {
        return of(ProcessHandle.current().pid());
    }

    /** The threads of another running process. */
    public static TaskTimes of(long process) {
        Map<String, Task> tasks = new HashMap<>();
        try (DirectoryStream<Path> all = Files.newDirectoryStream(Path.of("/proc/" + process + "/task"))) {
            for (Path task : all) {
                read(task, tasks);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return new TaskTimes(tasks);
    }

    private static void read(Path task, Map<String, Task> tasks) {
        try {
            String time = Files.readString(task.resolve("schedstat"));
            tasks.put(
                    task.getFileName().toString(),
                    new Task(
                            Files.readString(task.resolve("comm")).strip(),
                            Long.parseLong(time.substring(0, time.indexOf(' ')))));
        } catch (IOException ended) {
            // the thread has ended
        }
    }

    /** The time of threads since then, by name, without threads that have ended. */
    public Map<String, Long> since(TaskTimes began) {
        Map<String, Long> nanos = new HashMap<>();
        byNumber.forEach((number, task) -> {
            Task before = began.byNumber.get(number);
            nanos.merge(task.name(), task.nanos() - (before == null ? 0 : before.nanos()), Long::sum);
        });
        return nanos;
    }

    /** The sum of a result of {@link #since}. */
    public static long all(Map<String, Long> nanos) {
        return nanos.values().stream().mapToLong(Long::longValue).sum();
    }

    /** The sum of one owner's threads in a result of {@link #since}. */
    public static long of(Owner owner, Map<String, Long> nanos) {
        return nanos.entrySet().stream()
                .filter(each -> Owner.of(each.getKey()) == owner)
                .mapToLong(Map.Entry::getValue)
                .sum();
    }
}
