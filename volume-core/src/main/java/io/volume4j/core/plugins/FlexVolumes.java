package io.volume4j.core.plugins;

import io.volume4j.core.plugins.common.MessageText;
import io.volume4j.core.plugins.flex.FlexPlugin;
import io.volume4j.spi.FailureKind;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.mount.HeldPath;
import io.volume4j.spi.plugin.VolumePlugin;
import java.io.IOException;
import java.nio.file.ClosedWatchServiceException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Registers the flexvolume drivers of a machine: executables {@code <directory>/<vendor>~<driver>/<driver>}. Each
 * driver becomes a plugin {@code vendor/driver} of a registry when it appears, and is removed when it disappears,
 * also while the process runs. Names that begin with a dot are ignored. If the executable of a driver changes, the
 * library asks it for its capabilities again. Thread-safe.
 *
 * <p>The kernel reports changes of the directory, so there is no polling.
 *
 * @since 0.1.0
 */
public final class FlexVolumes implements AutoCloseable {
    /** The directory where orchestrators expect drivers. */
    public static final Path DEFAULT_DIRECTORY = Path.of("/usr/libexec/kubernetes/kubelet-plugins/volume/exec");

    private static final Logger log = LoggerFactory.getLogger(FlexVolumes.class);

    private static final Duration AGAIN = Duration.ofMinutes(1);

    private static final Duration CLOSE = Duration.ofSeconds(5);

    private final PluginRegistry registry;
    private final Options options;
    private final WatchService watch;
    private final Thread watcher;
    /** Whether a failure may end by itself, without a change of the directory. Only for the thread that scans. */
    private volatile boolean again;

    // Only the thread that scans changes these. It holds no lock while it runs a driver or tells the host's listeners.
    private final ConcurrentSkipListMap<String, Seen> seen = new ConcurrentSkipListMap<>();
    private final ConcurrentSkipListMap<String, PluginProblem> problems = new ConcurrentSkipListMap<>();

    /**
     * The options of a host.
     * @param directory the directory of the drivers; created if it does not exist. Default {@link #DEFAULT_DIRECTORY}
     * @param callLimit how long one call of a driver may take before the library kills it; default 5 minutes. The
     *     deadline of the step may come first; for attach and detach it is 2 minutes by default
     * @param secretsOnCommandLine whether drivers get secrets; default false. The protocol passes secrets on the
     *     command line, where every user of the machine can read them
     */
    public record Options(Path directory, Duration callLimit, boolean secretsOnCommandLine) {
        public Options {
            if (!directory.isAbsolute()) {
                throw new IllegalArgumentException("the directory of drivers must be absolute: " + directory);
            }
            if (callLimit.isNegative() || callLimit.isZero()) {
                throw new IllegalArgumentException("callLimit must be positive: " + callLimit);
            }
        }

        public static Options defaults() {
            return new Options(DEFAULT_DIRECTORY, Duration.ofMinutes(5), false);
        }

        public Options withDirectory(Path newDirectory) {
            return new Options(newDirectory, callLimit, secretsOnCommandLine);
        }

        public Options withCallLimit(Duration limit) {
            return new Options(directory, limit, secretsOnCommandLine);
        }

        public Options withSecretsOnCommandLine(boolean allowed) {
            return new Options(directory, callLimit, allowed);
        }
    }

    /** The state of a driver's file at the last scan. A changed file is another driver. */
    private record Seen(Object file, long modified, long bytes, boolean loaded) {
        boolean sameFile(Seen other) {
            return file.equals(other.file) && modified == other.modified && bytes == other.bytes;
        }
    }

    private FlexVolumes(PluginRegistry registry, Options options, WatchService watch) {
        this.registry = registry;
        this.options = options;
        this.watch = watch;
        this.watcher = new Thread(this::followChanges, "volume-flex-watch");
        watcher.setDaemon(true);
    }

    /**
     * Registers the existing drivers, and follows the directory until {@link #close()}.
     * @throws VolumeException transient, if the directory cannot be created or watched
     */
    public static FlexVolumes start(PluginRegistry registry, Options options) {
        try {
            FlexVolumes drivers = new FlexVolumes(
                    registry, options, options.directory().getFileSystem().newWatchService());
            drivers.begin();
            return drivers;
        } catch (OutOfMemoryError noThread) {
            throw noThread(options, noThread);
        } catch (IOException e) {
            throw VolumeException.transientFailure(
                            "cannot watch " + options.directory() + " for flexvolume drivers: " + MessageText.reason(e))
                    .withCause(e);
        }
    }

    /** Scans the directory and starts to watch it. Closes the watch if that fails. */
    private void begin() throws IOException {
        boolean begun = false;
        try {
            look();
            startWatcher();
            begun = true;
        } finally {
            if (!begun) {
                watch.close();
                // So that a later start finds the registry as this one did.
                seen.forEach((name, driver) -> {
                    if (driver.loaded()) {
                        registry.remove(name);
                    }
                });
            }
        }
    }

    private void startWatcher() {
        try {
            watcher.start();
        } catch (RuntimeException | Error noThread) {
            throw noThread(options, noThread);
        }
    }

    private static VolumeException noThread(Options options, Throwable cause) {
        return VolumeException.transientFailure("cannot follow " + options.directory()
                        + " for flexvolume drivers: there is no thread for it (" + cause + ")")
                .withAdvice("raise the limit of processes and threads (pids.max, ulimit -u) or end some")
                .withCause(cause);
    }

    /**
     * One driver as a plugin, with its program at any path. For hosts that know their drivers.
     *
     * @param name {@code vendor/driver}
     */
    public static VolumePlugin plugin(String name, Path program, Options options) {
        return new FlexPlugin(name, program, options.callLimit(), options.secretsOnCommandLine());
    }

    /**
     * Drivers that exist but could not be registered. The library tries again when their file changes, and each
     * minute if the failure may be temporary.
     */
    public List<PluginProblem> problems() {
        return List.copyOf(problems.values());
    }

    /**
     * Stops following the directory. The plugins stay registered: remove them before another {@code FlexVolumes}
     * follows the directory for the same registry. Kills a driver's program that runs. Waits at most five seconds for
     * listeners of the registry that are being called, and not at all if one of them calls this method.
     */
    @Override
    public void close() {
        try {
            watch.close();
        } catch (IOException e) {
            log.atDebug()
                    .setCause(e)
                    .addKeyValue("directory", options.directory())
                    .log("closing the watch of FlexVolume drivers failed");
        }
        if (Thread.currentThread() == watcher) {
            return;
        }
        // The thread may be running a driver's program.
        watcher.interrupt();
        try {
            watcher.join(CLOSE.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void followChanges() {
        try {
            while (true) {
                @Nullable WatchKey changed = again ? watch.poll(AGAIN.toMillis(), TimeUnit.MILLISECONDS) : watch.take();
                if (changed != null) {
                    // The scan reads the directories, so the events' contents do not matter, and an overflow loses
                    // nothing.
                    var unused = changed.pollEvents();
                    changed.reset();
                }
                lookGuarded();
            }
        } catch (ClosedWatchServiceException closed) {
            log.atDebug().addKeyValue("directory", options.directory()).log("stopped watching for FlexVolume drivers");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** A failure of a scan does not end the watch; a later scan may succeed. */
    private void lookGuarded() {
        try {
            look();
        } catch (IOException | RuntimeException | Error e) {
            again = true;
            log.atWarn()
                    .addKeyValue("directory", options.directory())
                    .addKeyValue("reason", MessageText.reason(e))
                    .log("FlexVolume drivers could not be searched");
        }
    }

    /** Begins to watch before it reads, so that no change is lost. Idempotent. */
    private void look() throws IOException {
        again = false;
        Files.createDirectories(options.directory());
        watch(options.directory());
        SortedMap<String, Path> programs = new TreeMap<>();
        try (DirectoryStream<Path> directories = Files.newDirectoryStream(options.directory())) {
            for (Path directory : directories) {
                String name = String.valueOf(directory.getFileName());
                if (!name.startsWith(".") && Files.isDirectory(directory)) {
                    watch(directory);
                    Path program = directory.resolve(name.substring(name.lastIndexOf('~') + 1));
                    if (Files.isRegularFile(program) && Files.isExecutable(program)) {
                        programs.put(name.replace('~', '/'), program);
                    }
                }
            }
        }
        for (String gone : new ArrayList<>(seen.keySet())) {
            if (!programs.containsKey(gone)) {
                forget(gone);
            }
        }
        programs.forEach(this::take);
    }

    private void watch(Path directory) throws IOException {
        var unused = directory.register(
                watch,
                StandardWatchEventKinds.ENTRY_CREATE,
                StandardWatchEventKinds.ENTRY_DELETE,
                StandardWatchEventKinds.ENTRY_MODIFY);
    }

    private void forget(String name) {
        Seen was = seen.remove(name);
        problems.remove(name);
        if (was != null && was.loaded()) {
            registry.remove(name);
            log.atInfo().addKeyValue("driver", name).log("FlexVolume driver gone");
        }
    }

    private void take(String name, Path program) {
        Seen before = seen.get(name);
        Seen now = facts(program);
        if (now == null || (before != null && before.sameFile(now))) {
            return;
        }
        boolean loaded = before != null && before.loaded();
        try {
            refuseExchangeable(program);
            VolumePlugin plugin = plugin(name, program, options);
            if (loaded) {
                registry.replace(plugin);
            } else {
                registry.add(plugin);
            }
            loaded = true;
            problems.remove(name);
            log.atInfo().addKeyValue("driver", name).log("FlexVolume driver ready");
        } catch (VolumeException e) {
            problems.put(name, new PluginProblem(name, e.getMessage()));
            log.atWarn()
                    .addKeyValue("driver", name)
                    .addKeyValue("reason", e.getMessage())
                    .log("FlexVolume driver not ready");
            if (e.kind() == FailureKind.TRANSIENT || e.kind() == FailureKind.UNCERTAIN) {
                again = true;
                return;
            }
        }
        seen.put(name, new Seen(now.file(), now.modified(), now.bytes(), loaded));
    }

    /** A driver runs with all rights of this process, so other users must not be able to replace its program. */
    private void refuseExchangeable(Path program) {
        registry.host()
                .mounts()
                .flatMap(backend -> backend.files().hold(program))
                .flatMap(HeldPath::exposure)
                .ifPresent(reason -> {
                    throw VolumeException.finalFailure("other users could exchange " + program + ": " + reason
                            + "; let only root own and write the directories above it");
                });
    }

    private static @Nullable Seen facts(Path program) {
        try {
            BasicFileAttributes file = Files.readAttributes(program, BasicFileAttributes.class);
            return new Seen(
                    Objects.requireNonNullElse(file.fileKey(), program),
                    file.lastModifiedTime().toMillis(),
                    file.size(),
                    false);
        } catch (IOException e) {
            // Removed during the scan: another event follows.
            return null;
        }
    }

    @Override
    public String toString() {
        Map<String, Boolean> shown = new LinkedHashMap<>();
        seen.forEach((name, driver) -> shown.put(name, driver.loaded()));
        return "FlexVolumes[" + options.directory() + " " + shown + "]";
    }
}
