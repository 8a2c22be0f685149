package io.volume4j.core.linux.device;

import io.volume4j.spi.CallContext;
import io.volume4j.spi.VolumeException;
import java.io.IOException;
import java.nio.file.ClosedWatchServiceException;
import java.nio.file.FileSystems;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Waits until device nodes appear or disappear. The kernel reports changes in directories by inotify(7), through
 * Java's watch service. Events may overflow, so their content is not used: each event only makes the caller check
 * again.
 */
final class DeviceNodeWatch {
    private static final Logger log = LoggerFactory.getLogger(DeviceNodeWatch.class);

    private DeviceNodeWatch() {}

    static <T> Optional<T> await(
            List<Path> directories, Duration atMost, CallContext context, Supplier<Optional<T>> look) {
        Optional<T> seen = look.get();
        if (seen.isPresent()) {
            return seen;
        }
        Duration atStart = context.remaining();
        try (WatchService watch = FileSystems.getDefault().newWatchService()) {
            context.onCancel(() -> close(watch));
            while (true) {
                // Registered before the check, so that no change is lost between them.
                for (Path directory : directories) {
                    follow(watch, directory);
                }
                seen = look.get();
                Duration now = context.remaining();
                Duration left = smaller(atMost.minus(atStart.minus(now)), now);
                if (seen.isPresent() || context.cancelled() || left.isNegative() || left.isZero()) {
                    return seen;
                }
                if (!changes(watch, left)) {
                    return look.get();
                }
            }
        } catch (ClosedWatchServiceException cancelled) {
            return Optional.empty();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        } catch (IOException e) {
            throw VolumeException.transientFailure("cannot watch " + directories + " for devices: " + e.getMessage())
                    .withAdvice("the limits are fs.inotify.max_user_instances and fs.inotify.max_user_watches")
                    .withCause(e);
        }
    }

    /**
     * Watches the directory. If it does not exist, watches the nearest existing one above it, to see when it is
     * created.
     */
    private static void follow(WatchService watch, Path directory) throws IOException {
        Path at = directory;
        while (!registered(watch, at)) {
            Path parent = at.getParent();
            if (parent == null) {
                return;
            }
            at = parent;
        }
        // Directories below may have been created before the watch of the one above began.
        for (Path name : at.relativize(directory)) {
            at = at.resolve(name);
            if (at.equals(directory.getRoot()) || !registered(watch, at)) {
                return;
            }
        }
    }

    /** Idempotent. */
    private static boolean registered(WatchService watch, Path directory) throws IOException {
        try {
            var unused = directory.register(
                    watch, StandardWatchEventKinds.ENTRY_CREATE, StandardWatchEventKinds.ENTRY_DELETE);
            return true;
        } catch (NoSuchFileException | NotDirectoryException e) {
            return false;
        }
    }

    /** Waits for an event and consumes all pending events; false after a timeout. */
    private static boolean changes(WatchService watch, Duration atMost) throws InterruptedException {
        WatchKey key = watch.poll(Math.max(1, atMost.toMillis()), TimeUnit.MILLISECONDS);
        boolean any = key != null;
        while (key != null) {
            var unused = key.pollEvents();
            key.reset();
            key = watch.poll();
        }
        return any;
    }

    private static void close(WatchService watch) {
        try {
            watch.close();
        } catch (IOException e) {
            log.atDebug().setCause(e).log("closing a watch failed");
        }
    }

    private static Duration smaller(Duration one, Duration other) {
        return one.compareTo(other) <= 0 ? one : other;
    }
}
