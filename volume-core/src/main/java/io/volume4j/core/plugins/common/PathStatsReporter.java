package io.volume4j.core.plugins.common;

import io.volume4j.spi.CallContext;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.mount.FilesystemUsage;
import io.volume4j.spi.mount.MountBackend;
import io.volume4j.spi.mount.RootedPath;
import io.volume4j.spi.mount.TreeUsage;
import io.volume4j.spi.plugin.PluginHost;
import io.volume4j.spi.plugin.StatsReporter;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Says how full a volume is by looking at where the pod has it: a filesystem is asked, a raw device has its size, and a
 * directory that shares the node's disk with others is measured file by file.
 */
public final class PathStatsReporter implements StatsReporter {
    /** What a place is without a mount of its own. */
    public enum Bare {
        /** A directory of the volume's own on the node's disk. */
        DIRECTORY,
        /** Nothing of the volume: its mount is gone, and the figures there would be those of the node's disk. */
        NOTHING
    }

    private final PluginHost host;
    private final Bare bare;
    private final Map<Path, CompletableFuture<Void>> asked = new ConcurrentHashMap<>();

    public PathStatsReporter(PluginHost host, Bare bare) {
        this.host = host;
        this.bare = bare;
    }

    @Override
    public Stats stats(StatsRequest request, CallContext context) {
        MountBackend backend = host.mounts()
                .orElseThrow(() -> VolumeException.finalFailure("this process was given no mount backend"));
        if (request.block()) {
            return Stats.ofDevice(backend.devices().identify(request.path()).bytes());
        }
        RootedPath place = below(host.root(), request.path());
        CompletableFuture<Void> returned = new CompletableFuture<>();
        asked.put(place.absolute(), returned);
        try {
            return ofPlace(backend, place, context);
        } finally {
            asked.remove(place.absolute(), returned);
            returned.complete(null);
        }
    }

    /** Completes when nothing of this process looks at the place any more, which would keep it from being unmounted. */
    public CompletableFuture<Void> unwatched(RootedPath place) {
        return asked.getOrDefault(place.absolute(), CompletableFuture.completedFuture(null));
    }

    private Stats ofPlace(MountBackend backend, RootedPath place, CallContext context) {
        MountPoints mountPoints = new MountPoints(backend);
        if (mountPoints.at(place).isPresent()) {
            FilesystemUsage usage = backend.usage(place.absolute());
            // If it went meanwhile, that was what it had lain on.
            requireMounted(mountPoints, place);
            return Stats.of(usage);
        }
        if (bare == Bare.NOTHING) {
            requireMounted(mountPoints, place);
        }
        return ofDirectory(backend, place, context);
    }

    /** What is left is the disk's, which it shares with others; what is used is its own. */
    private static Stats ofDirectory(MountBackend backend, RootedPath place, CallContext context) {
        TreeUsage used = backend.files().measure(place, context);
        Stats disk = Stats.of(backend.usage(place.absolute()));
        return new Stats(
                disk.totalBytes(),
                disk.availableBytes(),
                used.bytes(),
                disk.totalInodes(),
                disk.availableInodes(),
                used.inodes());
    }

    private static void requireMounted(MountPoints mountPoints, RootedPath place) {
        if (mountPoints.at(place).isEmpty()) {
            throw VolumeException.transientFailure("nothing is mounted at " + place + " any more");
        }
    }

    private static RootedPath below(Path root, Path path) {
        if (!path.startsWith(root) || path.equals(root)) {
            throw VolumeException.finalFailure(path + " is no place of a volume below " + root);
        }
        return new RootedPath(root, root.relativize(path));
    }
}
