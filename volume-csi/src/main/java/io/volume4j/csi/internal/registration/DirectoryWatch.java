package io.volume4j.csi.internal.registration;

import io.volume4j.spi.VolumeException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.ClosedWatchServiceException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reports that something in a directory may have changed. The receiver must read the directory, because the kernel drops
 * events when there are too many. The thread sleeps in the kernel (inotify(7)) between events, and
 * looks each minute whether another directory has the path.
 */
public final class DirectoryWatch implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(DirectoryWatch.class);

    /** How often it looks whether another directory has the path. */
    private static final Duration REPLACED = Duration.ofMinutes(1);

    /** How often it looks for a directory that is gone. */
    private static final Duration AWAY = Duration.ofSeconds(2);

    private final Path directory;
    private final WatchService service;
    private final Duration lookEvery;
    private final Thread thread;

    private DirectoryWatch(
            Path directory,
            WatchService service,
            WatchKey first,
            Duration lookEvery,
            Consumer<DirectoryWatch> changed) {
        this.directory = directory;
        this.service = service;
        this.lookEvery = lookEvery;
        this.thread = new Thread(() -> watch(first, changed), "volume-csi-watch");
        thread.setDaemon(true);
    }

    /**
     * Starts to watch. The watching thread makes all calls, the first one at once.
     *
     * @param changed must not block for long
     * @throws IOException if the directory cannot be watched
     * @throws VolumeException transient, if there is no thread for it
     */
    public static DirectoryWatch start(Path directory, Consumer<DirectoryWatch> changed) throws IOException {
        return start(directory, REPLACED, changed);
    }

    /** @param lookEvery how often it looks whether another directory has the path */
    static DirectoryWatch start(Path directory, Duration lookEvery, Consumer<DirectoryWatch> changed)
            throws IOException {
        WatchService service;
        try {
            service = directory.getFileSystem().newWatchService();
        } catch (OutOfMemoryError noThread) {
            throw noThread(directory, noThread);
        }
        WatchKey first;
        try {
            first = register(directory, service);
        } catch (IOException | RuntimeException e) {
            service.close();
            throw e;
        }
        DirectoryWatch watch = new DirectoryWatch(directory, service, first, lookEvery, changed);
        try {
            watch.thread.start();
        } catch (RuntimeException | Error noThread) {
            service.close();
            throw noThread(directory, noThread);
        }
        return watch;
    }

    private static WatchKey register(Path directory, WatchService service) throws IOException {
        return directory.register(
                service,
                StandardWatchEventKinds.ENTRY_CREATE,
                StandardWatchEventKinds.ENTRY_DELETE,
                StandardWatchEventKinds.ENTRY_MODIFY);
    }

    /** The key of the directory that the path has now; null if it cannot be watched. */
    private @Nullable WatchKey registered() {
        try {
            return register(directory, service);
        } catch (IOException away) {
            return null;
        }
    }

    private static VolumeException noThread(Path directory, Throwable cause) {
        return VolumeException.transientFailure(
                        "cannot watch " + directory + ": there is no thread for it (" + cause + ")")
                .withAdvice("raise the limit of processes and threads (pids.max, ulimit -u) or end some")
                .withCause(cause);
    }

    /**
     * The sockets in the directory, each with an identity that distinguishes it from a later socket at the same path. By
     * convention, names that begin with a dot are not ready yet.
     *
     * @throws IOException if the directory cannot be read; its content is then unknown
     */
    public SortedMap<Path, Object> sockets() throws IOException {
        SortedMap<Path, Object> found = new TreeMap<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory)) {
            for (Path entry : entries) {
                if (!String.valueOf(entry.getFileName()).startsWith(".")) {
                    identity(entry, found);
                }
            }
        } catch (NoSuchFileException gone) {
            return found;
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
        return found;
    }

    private static void identity(Path entry, SortedMap<Path, Object> found) throws IOException {
        try {
            BasicFileAttributes attributes =
                    Files.readAttributes(entry, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
            if (attributes.isOther()) {
                found.put(entry, attributes.fileKey() + "@" + attributes.lastModifiedTime());
            }
        } catch (NoSuchFileException goneMeanwhile) {
            found.remove(entry);
        }
    }

    /**
     * Follows the directory until the end, also one that is deleted, renamed or mounted over, and made again. The kernel reports a
     * deletion as the last change, and says nothing of what comes to the path afterwards.
     */
    private void watch(WatchKey first, Consumer<DirectoryWatch> changed) {
        try {
            @Nullable WatchKey followed = first;
            changed.accept(this);
            while (true) {
                Duration pause = followed == null ? AWAY : lookEvery;
                @Nullable WatchKey told = service.poll(pause.toMillis(), TimeUnit.MILLISECONDS);
                if (told != null) {
                    told.pollEvents();
                    told.reset();
                }
                @Nullable WatchKey now = registered();
                if (now == null && followed != null) {
                    LOG.atWarn()
                            .addKeyValue("directory", directory)
                            .log("directory of CSI drivers is gone; it is looked for again");
                }
                // The same directory has the same key.
                boolean another = !Objects.equals(now, followed);
                if (another && followed != null) {
                    followed.cancel();
                }
                followed = now;
                if (told != null || another) {
                    changed.accept(this);
                }
            }
        } catch (ClosedWatchServiceException closed) {
            return;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        try {
            service.close();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot stop watching " + directory, e);
        }
    }
}
