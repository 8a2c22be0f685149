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
 * The directories that CSI requires the library to create and remove around calls: the staging directory, and the parent of
 * a target. The driver creates the target itself. In a process without a machine these methods do nothing.
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

    /** The path as the driver sees it: the driver may run in another mount namespace. */
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

    /** Whether nothing is at the path. False in a process without a machine. */
    boolean missing(RootedPath place) {
        return machine.get()
                .map(kernel -> kernel.files().status(place).isEmpty())
                .orElse(false);
    }

    void makeParent(RootedPath target) {
        Path parent = target.relative().getParent();
        if (parent != null) {
            machine.get()
                    .ifPresent(kernel ->
                            kernel.files().createDirectory(new RootedPath(target.root(), parent), PARENT_MODE));
        }
    }

    /** Removes the path of a mount that is gone. A mounted or non-empty path stays, for the caller to detect. */
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

    /** Whether two readings of the kernel's table show no mount at or below the path. */
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

    /**
     * The mount at the target if it is not of the staged volume; empty if there is none, or if the table does not decide
     * it.
     */
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
     * A mount of the staged volume's content in a pod, which the journal may have lost. Empty if there is none, or if the
     * table does not distinguish it from another staged volume on the same filesystem.
     */
    Optional<Path> stillPublished(RootedPath staging) {
        return machine.get().flatMap(kernel -> {
            MountTable table = kernel.table();
            return table.at(staging.absolute()).flatMap(staged -> {
                Path pods = staging.root().resolve("pods");
                return table.ofDevice(staged.majorMinor()).stream()
                        .filter(entry -> entry.mountPoint().startsWith(pods) && holds(staged, entry))
                        .filter(entry -> onlyHolder(table, pods, staged, entry))
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

    /**
     * Two staged volumes may be directories of one export; then the table does not show whose content a pod has. Nothing below the
     * pods is a staged volume, although a pod's volume or the root may be called plugins, too.
     */
    private static boolean onlyHolder(MountTable table, Path pods, MountEntry staged, MountEntry published) {
        Path plugins = Path.of("plugins");
        return table.ofDevice(staged.majorMinor()).stream()
                .filter(entry -> !entry.mountPoint().equals(staged.mountPoint()))
                .filter(entry -> !entry.mountPoint().startsWith(pods))
                .filter(entry -> entry.mountPoint().toString().contains("/" + plugins + "/"))
                .noneMatch(entry -> holds(entry, published));
    }
}
