package io.volume4j.examples.agent.machine;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds and kills the processes that use the volumes below a root. First those with open files on the volumes, in this mount namespace
 * or another. Then, after the volumes are unmounted here, those whose own mount namespace still has them. A process gets SIGTERM, and
 * SIGKILL if it has not ended after a while. Sees the processes of its PID namespace only. Not thread-safe.
 *
 * <p>Ignores mounts of storage that the machine itself has mounted outside the root, such as a hostPath of a whole filesystem.
 */
public final class VolumeUsers {
    private static final Logger LOG = LoggerFactory.getLogger(VolumeUsers.class);

    private final Path proc;
    private final Path root;
    private final Duration grace;
    private final LongSupplier nanoTime;

    /** Every storage that was seen below the root: after it is unmounted here, other mount namespaces are searched for it. */
    private final Set<Storage> volumes = new HashSet<>();

    /** By a monotonic clock: a wall clock that is set back would spare a process until the lease has ended. */
    private final Map<ProcessHandle, Long> asked = new HashMap<>();

    /**
     * A filesystem's device and the directory of it that a mount shows. Paths of other processes are texts here: in the locale C, in
     * which systemd starts programs, Java makes no path of a name with other letters than those of ASCII.
     */
    record Storage(String device, String shown) {
        boolean contains(Storage other) {
            return device.equals(other.device) && isIn(other.shown, shown);
        }
    }

    record Mount(String id, Storage storage, String at) {
        /** Empty for a line with another format. */
        static Optional<Mount> of(String line) {
            String[] fields = line.split(" ");
            return fields.length < 6
                    ? Optional.empty()
                    : Optional.of(
                            new Mount(fields[0], new Storage(fields[2], unescaped(fields[3])), unescaped(fields[4])));
        }

        /** proc_pid_mountinfo(5) writes these characters as octal numbers. */
        private static String unescaped(String text) {
            return text.replace("\\040", " ")
                    .replace("\\011", "\t")
                    .replace("\\012", "\n")
                    .replace("\\134", "\\");
        }
    }

    /** @param grace the time from SIGTERM to SIGKILL */
    public VolumeUsers(Path root, Duration grace) {
        this(Path.of("/proc"), root, grace, System::nanoTime);
    }

    VolumeUsers(Path proc, Path root, Duration grace, LongSupplier nanoTime) {
        this.proc = proc;
        this.root = root;
        this.grace = grace;
        this.nanoTime = nanoTime;
    }

    /** Ends the processes with open files on the volumes that are mounted here. */
    public void stopThoseHere() {
        List<Mount> here = mounts(proc.resolve("self"));
        volumes.addAll(below(here));
        Path ourNamespace = namespace(proc.resolve("self"));
        for (Path process : processes()) {
            boolean inside = namespace(process).equals(ourNamespace);
            List<Mount> theirs = (inside ? here : mounts(process))
                    .stream()
                            .filter(mount -> inside ? isBelow(mount) && isVolume(mount) : isVolume(mount))
                            .toList();
            if (!theirs.isEmpty() && uses(process, theirs)) {
                stop(process);
            }
        }
    }

    /**
     * Ends the processes whose mount namespace still has a volume that was mounted here. Called after everything is unmounted here.
     *
     * @return one of the places, empty if there is none
     */
    public Optional<String> stopThoseElsewhere() {
        Path ourNamespace = namespace(proc.resolve("self"));
        Map<Path, Boolean> has = new HashMap<>();
        List<String> found = new ArrayList<>();
        for (Path process : processes()) {
            Path space = namespace(process);
            if (!space.equals(ourNamespace)
                    && has.computeIfAbsent(
                            space, key -> mounts(process).stream().anyMatch(this::isVolume))) {
                found.add("process " + process.getFileName());
                stop(process);
            }
        }
        return found.stream().findFirst();
    }

    private boolean isBelow(Mount mount) {
        return isIn(mount.at(), root.toString()) && !mount.at().equals(root.toString());
    }

    private boolean isVolume(Mount mount) {
        return volumes.stream().anyMatch(volume -> volume.contains(mount.storage()));
    }

    /** The storage below the root, without storage that the machine itself has mounted elsewhere or that contains such storage. */
    private Set<Storage> below(List<Mount> here) {
        Set<Storage> found =
                here.stream().filter(this::isBelow).map(Mount::storage).collect(Collectors.toSet());
        here.stream()
                .filter(mount -> !isBelow(mount))
                .forEach(own -> found.removeIf(each -> each.contains(own.storage())));
        return found;
    }

    private boolean uses(Path process, List<Mount> theirs) {
        Set<String> ids = theirs.stream().map(Mount::id).collect(Collectors.toSet());
        return opens(process, ids)
                || Stream.of("cwd", "root", "exe")
                        .flatMap(link -> target(process.resolve(link)).stream())
                        .anyMatch(path -> isOn(path.toString(), theirs))
                || lines(process.resolve("maps"))
                        .filter(line -> line.indexOf('/') >= 0)
                        .anyMatch(line -> isOn(line.substring(line.indexOf('/')), theirs));
    }

    private static boolean isOn(String path, List<Mount> mounts) {
        return mounts.stream().anyMatch(mount -> isIn(path, mount.at()));
    }

    /** Whether the path is the directory, or something in it. */
    private static boolean isIn(String path, String directory) {
        return path.equals(directory) || path.startsWith(directory.endsWith("/") ? directory : directory + "/");
    }

    private boolean opens(Path process, Set<String> mountIds) {
        for (Path descriptor : children(process.resolve("fdinfo"))) {
            if (lines(descriptor)
                    .filter(line -> line.startsWith("mnt_id:"))
                    .anyMatch(line ->
                            mountIds.contains(line.substring("mnt_id:".length()).strip()))) {
                return true;
            }
        }
        return false;
    }

    private void stop(Path process) {
        long pid = Long.parseLong(process.getFileName().toString());
        ProcessHandle.of(pid).ifPresent(handle -> {
            long now = nanoTime.getAsLong();
            Long since = asked.putIfAbsent(handle, now);
            if (since == null) {
                LOG.atWarn()
                        .addKeyValue("pid", pid)
                        .addKeyValue("program", handle.info().command().orElse("unknown"))
                        .log("the node gives up its volumes: a process that uses one is to end");
                handle.destroy();
            } else if (now - since >= grace.toNanos()) {
                handle.destroyForcibly();
            }
        });
    }

    /** All processes except this one. */
    private List<Path> processes() {
        String self = Long.toString(ProcessHandle.current().pid());
        return children(proc).stream()
                .filter(each -> each.getFileName().toString().matches("[0-9]+"))
                .filter(each -> !each.getFileName().toString().equals(self))
                .toList();
    }

    private static List<Mount> mounts(Path process) {
        return lines(process.resolve("mountinfo"))
                .flatMap(line -> Mount.of(line).stream())
                .toList();
    }

    /** The name of the process's mount namespace; the link itself for an ended process. */
    private static Path namespace(Path process) {
        return target(process.resolve("ns/mnt")).orElse(process);
    }

    private static Optional<Path> target(Path link) {
        try {
            return Optional.of(Files.readSymbolicLink(link));
        } catch (IOException ended) {
            return Optional.empty();
        }
    }

    /** Empty for an ended process. */
    private static Stream<String> lines(Path file) {
        try {
            return new String(Files.readAllBytes(file), StandardCharsets.UTF_8).lines();
        } catch (IOException ended) {
            return Stream.empty();
        }
    }

    private static List<Path> children(Path directory) {
        List<Path> found = new ArrayList<>();
        try (DirectoryStream<Path> all = Files.newDirectoryStream(directory)) {
            all.forEach(found::add);
        } catch (IOException ended) {
            return List.of();
        }
        return found;
    }
}
