package io.volume4j.csi.internal.plugin;

import io.volume4j.csi.CsiDriverPolicy.PathPrefix;
import io.volume4j.spi.mount.HostFiles;
import io.volume4j.spi.mount.HostFiles.FileStatus;
import io.volume4j.spi.mount.MountBackend;
import io.volume4j.spi.mount.MountEntry;
import io.volume4j.spi.mount.MountTable;
import io.volume4j.spi.mount.RootedPath;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The directories that CSI has us make and take away around the driver's calls: the staging directory, and the parent of a
 * target, whose last part is the driver's. In a process without a machine there is nothing to make.
 */
final class NodePaths {
    private static final int STAGING_MODE = 0750;
    private static final int PARENT_MODE = 0750;

    private final Supplier<Optional<MountBackend>> machine;
    private final List<PathPrefix> prefixes;

    NodePaths(Supplier<Optional<MountBackend>> machine, List<PathPrefix> prefixes) {
        this.machine = machine;
        this.prefixes = prefixes;
    }

    /** The path as the driver calls it, which may run in a mount namespace of its own. */
    String there(RootedPath path) {
        return there(path.absolute());
    }

    String there(Path path) {
        for (PathPrefix prefix : prefixes) {
            Path here = Path.of(prefix.here());
            if (path.startsWith(here)) {
                return Path.of(prefix.there()).resolve(here.relativize(path)).toString();
            }
        }
        return path.toString();
    }

    void makeStaging(RootedPath staging) {
        machine.get().ifPresent(kernel -> kernel.files().createDirectory(staging, STAGING_MODE));
    }

    void makeParent(RootedPath target) {
        Path parent = target.relative().getParent();
        if (parent != null) {
            machine.get()
                    .ifPresent(kernel ->
                            kernel.files().createDirectory(new RootedPath(target.root(), parent), PARENT_MODE));
        }
    }

    /**
     * Removes the place of a mount that is gone. What is still mounted or holds files stays: that is for the
     * caller to notice.
     */
    void removePlace(RootedPath place) {
        machine.get().ifPresent(kernel -> {
            if (kernel.table().at(place.absolute()).isPresent()) {
                return;
            }
            HostFiles files = kernel.files();
            FileStatus.Type type = files.status(place).map(FileStatus::type).orElse(null);
            if (type == FileStatus.Type.DIRECTORY) {
                if (files.list(place).isEmpty()) {
                    files.removeDirectory(place);
                }
            } else if (type == FileStatus.Type.FILE
                    && files.status(place).map(FileStatus::bytes).orElse(1L) == 0) {
                files.removeFile(place);
            }
        });
    }

    /** Whether the kernel has nothing mounted at or below the place, in two readings of its table. */
    boolean provenUnmounted(RootedPath place) {
        boolean first = unmounted(place);
        boolean again = unmounted(place);
        return first && again;
    }

    private boolean unmounted(RootedPath place) {
        return machine.get()
                .map(kernel -> kernel.table().below(place.absolute()).isEmpty())
                .orElse(false);
    }

    /** What is mounted at the target and is not of the staged volume; empty if nothing is, or if it cannot be told. */
    Optional<MountEntry> foreign(RootedPath staging, RootedPath target) {
        return machine.get().flatMap(kernel -> {
            MountTable table = kernel.table();
            Optional<MountEntry> staged = table.at(staging.absolute());
            return staged.isEmpty()
                    ? Optional.empty()
                    : table.at(target.absolute())
                            .filter(there ->
                                    !there.majorMinor().equals(staged.get().majorMinor()));
        });
    }

    /**
     * A mount of the staged volume's content at some pod, which the journal may have lost; empty if there is none, or if it
     * cannot be told from another staged volume's on the same filesystem.
     */
    Optional<Path> stillPublished(RootedPath staging) {
        return machine.get().flatMap(kernel -> {
            MountTable table = kernel.table();
            return table.at(staging.absolute()).flatMap(staged -> {
                Path pods = staging.root().resolve("pods");
                return table.ofDevice(staged.majorMinor()).stream()
                        .filter(entry -> entry.mountPoint().startsWith(pods) && holds(staged, entry))
                        .filter(entry -> onlyHolder(table, staged, entry))
                        .map(MountEntry::mountPoint)
                        .findFirst();
            });
        });
    }

    private static boolean holds(MountEntry staged, MountEntry other) {
        String root = staged.rootInFilesystem();
        return root.equals("/")
                || other.rootInFilesystem().equals(root)
                || other.rootInFilesystem().startsWith(root + "/");
    }

    /** Two staged volumes may be directories of one export; then the table does not tell whose content a pod has. */
    private static boolean onlyHolder(MountTable table, MountEntry staged, MountEntry published) {
        Path plugins = Path.of("plugins");
        return table.ofDevice(staged.majorMinor()).stream()
                .filter(entry -> !entry.mountPoint().equals(staged.mountPoint()))
                .filter(entry -> !entry.mountPoint().equals(published.mountPoint()))
                .filter(entry -> entry.mountPoint().toString().contains("/" + plugins + "/"))
                .noneMatch(entry -> holds(entry, published));
    }
}
