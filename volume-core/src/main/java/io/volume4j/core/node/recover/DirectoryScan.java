package io.volume4j.core.node.recover;

import io.volume4j.core.node.state.MountRow;
import io.volume4j.core.node.state.NodeLayout;
import io.volume4j.core.node.state.VolumeRow;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.mount.HostFiles;
import io.volume4j.spi.mount.LoopDevices.LoopDevice;
import io.volume4j.spi.mount.MountBackend;
import io.volume4j.spi.mount.MountEntry;
import io.volume4j.spi.mount.MountTable;
import io.volume4j.spi.mount.RootedPath;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Scans the paths of the node's layout below the root: directories, mounts and loop devices. Ignores everything else
 * below the root, and a root with another identity. Removes empty directories that a crash left.
 */
final class DirectoryScan {
    private static final Logger LOG = LoggerFactory.getLogger(DirectoryScan.class);
    private static final int ROOT_ID_BYTES = 128;

    private final NodeLayout layout;
    private final MountBackend machine;
    private final HostFiles files;
    private final Set<PodPlace> podPlaces = new TreeSet<>();
    private final Set<DevicePlace> devicePlaces = new TreeSet<>();
    private final Set<SubPathPlace> subPaths = new TreeSet<>();

    private DirectoryScan(NodeLayout layout, MountBackend machine) {
        this.layout = layout;
        this.machine = machine;
        this.files = machine.files();
    }

    /** The path of a pod's volume. The plugin is given as its file name. */
    record PodPlace(String podUid, String pluginFile, String outerName, boolean block) implements Comparable<PodPlace> {
        private static final Comparator<PodPlace> ORDER = Comparator.comparing(PodPlace::podUid)
                .thenComparing(PodPlace::block)
                .thenComparing(PodPlace::pluginFile)
                .thenComparing(PodPlace::outerName);

        static PodPlace of(MountRow row) {
            return new PodPlace(row.podUid(), NodeLayout.fileName(row.id().plugin()), row.outerName(), row.block());
        }

        @Override
        public int compareTo(PodPlace other) {
            return ORDER.compare(this, other);
        }
    }

    /** The path of a volume's device. */
    record DevicePlace(String pluginFile, String name) implements Comparable<DevicePlace> {
        private static final Comparator<DevicePlace> ORDER =
                Comparator.comparing(DevicePlace::pluginFile).thenComparing(DevicePlace::name);

        static DevicePlace of(VolumeRow row) {
            return new DevicePlace(NodeLayout.fileName(row.id().plugin()), NodeLayout.deviceName(row.id()));
        }

        @Override
        public int compareTo(DevicePlace other) {
            return ORDER.compare(this, other);
        }
    }

    /** The path of a pod's subPaths of one volume. */
    record SubPathPlace(String podUid, String outerName) implements Comparable<SubPathPlace> {
        private static final Comparator<SubPathPlace> ORDER =
                Comparator.comparing(SubPathPlace::podUid).thenComparing(SubPathPlace::outerName);

        @Override
        public int compareTo(SubPathPlace other) {
            return ORDER.compare(this, other);
        }
    }

    /**
     * Scans the machine. Blocks.
     *
     * @param rootId the expected identity of the root
     * @param table a reading of the mount table
     * @param knownPods pods whose directories the scan skips, because the journal is complete and contains them
     */
    static DirectoryScan of(
            NodeLayout layout, MountBackend machine, String rootId, MountTable table, Set<String> knownPods) {
        DirectoryScan scan = new DirectoryScan(layout, machine);
        if (scan.isOurs(rootId)) {
            scan.mounts(table);
            scan.loops();
            scan.names(layout.pods()).stream()
                    .filter(uid -> !knownPods.contains(uid))
                    .forEach(scan::pod);
            scan.names(layout.plugins()).forEach(scan::plugin);
        }
        return scan;
    }

    Set<PodPlace> podPlaces() {
        return Collections.unmodifiableSet(podPlaces);
    }

    Set<DevicePlace> devicePlaces() {
        return Collections.unmodifiableSet(devicePlaces);
    }

    Set<SubPathPlace> subPaths() {
        return Collections.unmodifiableSet(subPaths);
    }

    private boolean isOurs(String rootId) {
        boolean ours = files.read(layout.rootId(), ROOT_ID_BYTES)
                .map(bytes -> new String(bytes, StandardCharsets.UTF_8).trim())
                .filter(rootId::equals)
                .isPresent();
        if (!ours) {
            LOG.atWarn()
                    .addKeyValue("path", layout.root())
                    .addKeyValue("reason", "the directory does not have the id of this library")
                    .log("root not scanned");
        }
        return ours;
    }

    private void mounts(MountTable table) {
        for (MountEntry entry : table.below(layout.root())) {
            place(entry.mountPoint());
        }
    }

    private void loops() {
        for (LoopDevice loop : machine.loops().below(layout.root())) {
            place(loop.file());
        }
    }

    private void place(Path path) {
        Path below = layout.root().relativize(path);
        int names = below.getNameCount();
        String first = below.getName(0).toString();
        String third = names > 2 ? below.getName(2).toString() : "";
        if (first.equals(NodeLayout.PODS) && names >= 5 && isPodKind(third)) {
            podPlaces.add(new PodPlace(
                    below.getName(1).toString(),
                    below.getName(3).toString(),
                    below.getName(4).toString(),
                    third.equals(NodeLayout.VOLUME_DEVICES)));
        } else if (first.equals(NodeLayout.PODS) && names >= 4 && third.equals(NodeLayout.SUB_PATHS)) {
            subPaths.add(new SubPathPlace(
                    below.getName(1).toString(), below.getName(3).toString()));
        } else if (first.equals(NodeLayout.PLUGINS) && names >= 5 && third.equals(NodeLayout.DEVICES)) {
            devicePlaces.add(new DevicePlace(
                    below.getName(1).toString(), below.getName(3).toString()));
        }
    }

    private static boolean isPodKind(String name) {
        return name.equals(NodeLayout.VOLUMES) || name.equals(NodeLayout.VOLUME_DEVICES);
    }

    private void pod(String uid) {
        RootedPath directory = layout.podDirectory(uid);
        podPlaces(uid, false);
        podPlaces(uid, true);
        for (String outerName : names(directory.resolve(NodeLayout.SUB_PATHS))) {
            subPaths.add(new SubPathPlace(uid, outerName));
        }
        removeIfEmpty(directory);
    }

    private void podPlaces(String uid, boolean block) {
        RootedPath kind = layout.podDirectory(uid).resolve(block ? NodeLayout.VOLUME_DEVICES : NodeLayout.VOLUMES);
        for (String plugin : names(kind)) {
            RootedPath directory = kind.resolve(plugin);
            List<String> names = names(directory);
            for (String name : names) {
                String outerName = NodeLayout.isMetadataFile(name) ? NodeLayout.outerNameOf(name) : name;
                if (NodeLayout.isFileName(outerName)) {
                    podPlaces.add(new PodPlace(uid, plugin, outerName, block));
                }
            }
            if (names.isEmpty()) {
                removeIfEmpty(directory);
            }
        }
        removeIfEmpty(kind);
    }

    private void plugin(String pluginFile) {
        for (String name : names(layout.devices(pluginFile))) {
            RootedPath directory = layout.devices(pluginFile).resolve(name);
            if (names(directory).isEmpty()) {
                removeIfEmpty(directory);
            } else {
                devicePlaces.add(new DevicePlace(pluginFile, name));
            }
        }
    }

    /** The names in a directory. An unreadable directory counts as empty; the next start scans it again. */
    private List<String> names(RootedPath directory) {
        try {
            return files.list(directory);
        } catch (VolumeException unreadable) {
            LOG.atWarn()
                    .addKeyValue("path", directory)
                    .addKeyValue("reason", unreadable.getMessage())
                    .log("directory not scanned");
            return List.of();
        }
    }

    private void removeIfEmpty(RootedPath directory) {
        try {
            if (files.list(directory).isEmpty()) {
                files.removeDirectory(directory);
            }
        } catch (VolumeException used) {
            LOG.atDebug()
                    .addKeyValue("path", directory)
                    .addKeyValue("reason", used.getMessage())
                    .log("directory kept");
        }
    }
}
