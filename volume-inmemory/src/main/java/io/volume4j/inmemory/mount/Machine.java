package io.volume4j.inmemory.mount;

import io.volume4j.inmemory.oracle.Violation;
import io.volume4j.spi.mount.BindOptions.Propagation;
import io.volume4j.spi.mount.HostFiles.FileStatus;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The machine's state. A thread that reads or changes it holds its monitor, and then makes no call outside of this package. */
final class Machine {
    static final Path DEV = Path.of("/dev");

    final Filesystem disk;
    /** Disks that survive a reboot, by path. */
    final TreeMap<Path, Disk> disks = new TreeMap<>();
    /** The exports of servers, by source; independent of mounts. */
    final TreeMap<String, Filesystem> exports = new TreeMap<>();
    /** Loop devices, by path, in the order of their creation. */
    final Map<Path, Disk> loops = new LinkedHashMap<>();

    /** For the machine's own disk. */
    final Quotas quotas;

    final List<Violation> violations = new ArrayList<>();

    private long numbers;
    private int boots;
    private Boot boot;

    /** The state that is lost when the machine goes down. */
    private record Boot(MountTree mounts, PathWalk walk) {}

    Machine(long diskBytes, boolean projectQuotas) {
        disk = new Filesystem("ext4", "253:0", diskBytes);
        quotas = new Quotas(disk, projectQuotas);
        boot = start();
    }

    MountTree mounts() {
        return boot.mounts;
    }

    PathWalk walk() {
        return boot.walk;
    }

    /** A new unique number. */
    long nextNumber() {
        return ++numbers;
    }

    int boots() {
        return boots;
    }

    String nextAnonymousDevice() {
        return "0:" + (100 + nextNumber());
    }

    void reboot(boolean losePower) {
        List<Filesystem> kept = new ArrayList<>();
        kept.add(disk);
        kept.addAll(exports.values());
        for (Disk each : disks.values()) {
            if (each.image.filesystem() != null) {
                kept.add(each.image.filesystem());
            }
        }
        kept.forEach(losePower ? Filesystem::losePower : Filesystem::sync);
        kept.forEach(Machine::forgetUses);
        Inode dev = directory(disk.root, "dev");
        loops.keySet().forEach(path -> dev.remove(String.valueOf(path.getFileName())));
        loops.clear();
        boot = start();
    }

    /** Creates the node of a device under {@code /dev}. */
    void addNode(Disk device) {
        Inode at = disk.root;
        Path path = device.path;
        for (int i = 0; i < path.getNameCount() - 1; i++) {
            at = directory(at, path.getName(i).toString());
        }
        at.put(String.valueOf(path.getFileName()), disk.make(FileStatus.Type.BLOCK_DEVICE, 0660, "", device));
    }

    void removeNode(Disk device) {
        Inode at = disk.root;
        Path path = device.path;
        for (int i = 0; i < path.getNameCount() - 1; i++) {
            at = directory(at, path.getName(i).toString());
        }
        at.remove(String.valueOf(path.getFileName()));
    }

    /** The device at the path; follows links as the kernel does. */
    Disk device(Path path, String call) {
        @Nullable Disk found = walk().follow(path, call).inode().disk;
        if (found == null) {
            throw KernelError.ENOTBLK.of(call);
        }
        return found;
    }

    boolean isInUse(Disk device) {
        Filesystem filesystem = device.image.filesystem();
        return filesystem != null && filesystem.inUse();
    }

    private static void forgetUses(Filesystem filesystem) {
        filesystem.forgetUses();
        filesystem.forEachInside(Machine::forgetUses);
    }

    private Boot start() {
        boots++;
        MountTree mounts = new MountTree();
        Mount first = new Mount(
                nextNumber(),
                null,
                Path.of("/"),
                disk.root,
                "/dev/root",
                false,
                List.of(),
                List.of("rw"),
                Propagation.PRIVATE,
                null,
                true);
        mounts.add(first);
        return new Boot(mounts, new PathWalk(mounts, first));
    }

    private Inode directory(Inode parent, String name) {
        Inode child = parent.children.get(name);
        if (child == null) {
            child = disk.make(FileStatus.Type.DIRECTORY, 0755, "", null);
            parent.put(name, child);
        }
        return child;
    }
}
