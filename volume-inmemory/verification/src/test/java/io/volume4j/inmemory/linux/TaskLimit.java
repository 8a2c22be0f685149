package io.volume4j.inmemory.linux;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * A control group of its own for a process, with a limit of its threads and processes, by either version of control groups. Removed
 * when it is closed, once no process is in it.
 */
final class TaskLimit implements AutoCloseable {
    private final Path group;

    private TaskLimit(Path group) {
        this.group = group;
    }

    /** Whether the kernel can limit threads and processes at all. */
    static boolean kernelCan() {
        try {
            return Files.readAllLines(Path.of("/proc/cgroups")).stream().anyMatch(line -> line.startsWith("pids\t"));
        } catch (IOException unknown) {
            throw new UncheckedIOException(unknown);
        }
    }

    /**
     * Puts the process into a group without a limit so far.
     *
     * @throws IOException if that is not allowed here, with the reason
     */
    static TaskLimit of(long pid) throws IOException {
        Path top = hierarchy()
                .orElseThrow(() -> new IOException("no hierarchy of control groups has the controller pids"));
        Path control = top.resolve("cgroup.subtree_control");
        if (Files.exists(control) && !Files.readString(control).contains("pids")) {
            Files.writeString(control, "+pids");
        }
        Path group = Files.createDirectory(top.resolve("volume4j-test-" + pid));
        TaskLimit limit = new TaskLimit(group);
        boolean made = false;
        try {
            Files.writeString(group.resolve("cgroup.procs"), Long.toString(pid));
            made = true;
        } finally {
            if (!made) {
                limit.close();
            }
        }
        return limit;
    }

    private static Optional<Path> hierarchy() throws IOException {
        // mountinfo: id parent major:minor root mount-point options … - type source super-options
        List<String> mounts = Files.readAllLines(Path.of("/proc/self/mountinfo"));
        for (String mount : mounts) {
            String[] halves = mount.split(" - ", 2);
            String[] types = halves[1].split(" ");
            Path point = Path.of(halves[0].split(" ")[4]);
            boolean first =
                    types[0].equals("cgroup") && List.of(types[2].split(",")).contains("pids");
            boolean second = types[0].equals("cgroup2")
                    && Files.readString(point.resolve("cgroup.controllers")).contains("pids");
            if (first || second) {
                return Optional.of(point);
            }
        }
        return Optional.empty();
    }

    /** Allows so many more threads and processes than there are now. */
    void allowMore(int more) throws IOException {
        long now =
                Long.parseLong(Files.readString(group.resolve("pids.current")).trim());
        Files.writeString(group.resolve("pids.max"), Long.toString(now + more));
    }

    void allowAll() throws IOException {
        Files.writeString(group.resolve("pids.max"), "max");
    }

    /** How often a thread or process was refused. */
    long refused() throws IOException {
        // max N, in a file of its own in both versions
        return Files.readAllLines(group.resolve("pids.events")).stream()
                .filter(line -> line.startsWith("max "))
                .mapToLong(
                        line -> Long.parseLong(line.substring("max ".length()).trim()))
                .sum();
    }

    @Override
    public void close() throws IOException {
        Files.delete(group);
    }
}
