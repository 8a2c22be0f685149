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
 * Reports the usage of a volume from its path for the pod: a mounted filesystem reports its usage, a raw device has a
 * size, and a directory on the node's disk is measured file by file.
 */
public final class PathStatsReporter implements StatsReporter {
    /** What an unmounted path means. */
    public enum Bare {
        /** A directory of the volume on the node's disk. */
        DIRECTORY,
        /** The volume's mount is gone; the usage at the path would be that of the node's disk. */
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

    /** Completes when no query of this process uses the path any more. A query makes the mount busy. */
    public CompletableFuture<Void> unwatched(RootedPath place) {
        return asked.getOrDefault(place.absolute(), CompletableFuture.completedFuture(null));
    }

    private Stats ofPlace(MountBackend backend, RootedPath place, CallContext context) {
        MountPoints mountPoints = new MountPoints(backend);
        if (mountPoints.at(place).isPresent()) {
            FilesystemUsage usage = backend.usage(place.absolute());
            // If it was unmounted meanwhile, the result belongs to the filesystem below.
            requireMounted(mountPoints, place);
            return Stats.of(usage);
        }
        if (bare == Bare.NOTHING) {
            requireMounted(mountPoints, place);
        }
        return ofDirectory(backend, place, context);
    }

    /** The available space is the disk's, which other users share; the used space is the directory's. */
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
