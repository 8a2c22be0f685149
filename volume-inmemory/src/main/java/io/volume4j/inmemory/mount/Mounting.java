package io.volume4j.inmemory.mount;

import io.volume4j.inmemory.mount.PathWalk.Reach;
import io.volume4j.inmemory.oracle.Violation;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.mount.Abilities;
import io.volume4j.spi.mount.BindOptions;
import io.volume4j.spi.mount.BindOptions.Propagation;
import io.volume4j.spi.mount.FilesystemMount;
import io.volume4j.spi.mount.HostFiles.FileStatus;
import io.volume4j.spi.mount.IdMapping;
import io.volume4j.spi.mount.RootedPath;
import io.volume4j.spi.mount.UnmountMode;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Mounts and unmounts; mount(2), umount2(2). Guarded by the machine. */
final class Mounting {
    private final Machine machine;
    private final Abilities abilities;

    Mounting(Machine machine, Abilities abilities) {
        this.machine = machine;
        this.abilities = abilities;
    }

    void bind(Path source, RootedPath target, BindOptions options) {
        String call = "bind " + source + " on " + target;
        bind(machine.walk().follow(source, call), target, options, call);
    }

    void bind(RootedPath source, RootedPath target, BindOptions options) {
        String call = "bind " + source + " on " + target;
        bind(machine.walk().below(source, Reach.ACROSS_MOUNTS, call), target, options, call);
    }

    void bindInside(RootedPath volume, Path inside, RootedPath target, BindOptions options) {
        String call = "bind " + inside + " in " + volume + " on " + target;
        requireRight(call);
        Place from =
                new InnerPath(machine, machine.walk().below(volume, Reach.ACROSS_MOUNTS, call), inside, call).find();
        Place parent = machine.walk().parentOf(target, Reach.ACROSS_MOUNTS, call);
        if (!parent.inode().children.containsKey(PathWalk.name(target))) {
            boolean directory = from.inode().isDirectory();
            MemoryFiles.add(
                    parent,
                    PathWalk.name(target),
                    directory ? FileStatus.Type.DIRECTORY : FileStatus.Type.FILE,
                    directory ? 0750 : 0640,
                    call);
        }
        bind(from, target, options, call);
    }

    private void bind(Place from, RootedPath target, BindOptions options, String call) {
        requireRight(call);
        Place place = machine.walk().below(target, Reach.ACROSS_MOUNTS, call);
        boolean readOnly = options.readOnly() || from.mount().readOnly;
        if (options.ids() != null) {
            requireMappable(from.mount(), place, call);
        }
        if (isOccupied(place)) {
            Mount there = place.mount();
            if (there.root != from.inode()) {
                throw foreign(call, there);
            }
            if (there.readOnly != readOnly) {
                throw wrongMode(call, there);
            }
            return;
        }
        if (from.inode().isDirectory() != place.inode().isDirectory()) {
            throw KernelError.ENOTDIR.of(call);
        }
        List<Mount> originals = options.recursive() ? machine.mounts().all() : List.of();
        Mount copy = copy(
                from.mount(), from.inode(), place, options, options.ids() == null ? from.mount().ids : options.ids());
        machine.mounts().add(copy);
        copyBelow(from, copy, originals, options);
    }

    /** mount_setattr(2) refuses a mount that already maps IDs, and filesystems without support. */
    private void requireMappable(Mount source, Place place, String call) {
        if (isOccupied(place)) {
            throw KernelError.EBUSY.of(call, "which IDs are mapped there cannot be read");
        }
        if (source.ids != null) {
            throw KernelError.EPERM.of(
                    call, "its filesystem, " + source.filesystem.fsType + ", has mapped IDs already");
        }
        if (!MountSettings.mapsIds(source.filesystem.fsType)) {
            throw KernelError.EINVAL.of(
                    call, "its filesystem, " + source.filesystem.fsType + ", does not support ID-mapped mounts");
        }
    }

    /** @param originals in the order of their creation, so that parents come before children */
    private void copyBelow(Place from, Mount copy, List<Mount> originals, BindOptions options) {
        Map<Mount, Mount> copies = new HashMap<>();
        copies.put(from.mount(), copy);
        for (Mount each : originals) {
            Mount parentCopy = each.parent == null ? null : copies.get(each.parent);
            if (parentCopy == null || each.covered == null) {
                continue;
            }
            if (each.parent != from.mount() || each.covered.isBelow(from.inode())) {
                Mount made = copy(each, each.root, new Place(parentCopy, each.covered), options, each.ids);
                machine.mounts().add(made);
                copies.put(each, made);
            }
        }
    }

    private Mount copy(Mount original, Inode root, Place on, BindOptions options, @Nullable IdMapping ids) {
        return new Mount(
                machine.nextNumber(),
                on,
                PathWalk.canonical(on),
                root,
                original.source,
                options.readOnly() || original.readOnly,
                original.flags,
                original.superOptions,
                options.propagation(),
                ids,
                false);
    }

    void mount(FilesystemMount wanted, RootedPath target) {
        String call = "mount " + wanted.fsType() + " " + wanted.source() + " on " + target;
        requireRight(call);
        MountSettings settings = new MountSettings(wanted);
        Place place = machine.walk().below(target, Reach.ACROSS_MOUNTS, call);
        if (isOccupied(place)) {
            acceptIfSame(wanted, settings, place.mount(), call);
            return;
        }
        if (!place.inode().isDirectory()) {
            throw KernelError.ENOTDIR.of(call);
        }
        attach(rootOf(wanted, settings, call), place, wanted.source(), settings, false);
    }

    /** A mount of another process, on top of any existing one. */
    void mountForeign(FilesystemMount wanted, Path target) {
        String call = "another client's mount on " + target;
        MountSettings settings = new MountSettings(wanted);
        Place place = machine.walk().follow(target, call);
        attach(rootOf(wanted, settings, call), place, wanted.source(), settings, true);
    }

    private void attach(Inode root, Place place, String source, MountSettings settings, boolean foreign) {
        machine.mounts()
                .add(new Mount(
                        machine.nextNumber(),
                        place,
                        PathWalk.canonical(place),
                        root,
                        source,
                        settings.readOnly(),
                        settings.flags(),
                        settings.superOptions(),
                        Propagation.PRIVATE,
                        null,
                        foreign));
    }

    private Inode rootOf(FilesystemMount wanted, MountSettings settings, String call) {
        if (!MountSettings.known(abilities, wanted.fsType())) {
            throw KernelError.ENODEV.of(call, "this kernel does not know the filesystem " + wanted.fsType());
        }
        if (MountSettings.needsDevice(wanted.fsType())) {
            return onDevice(wanted, settings, call).root;
        }
        if (wanted.fsType().startsWith("nfs")) {
            return exported(wanted.source(), call);
        }
        return new Filesystem(wanted.fsType(), machine.nextAnonymousDevice(), settings.bytes(call)).root;
    }

    /** The export of a server, or a directory of it. */
    private Inode exported(String source, String call) {
        Filesystem whole = machine.exports.get(source);
        if (whole != null) {
            return whole.root;
        }
        int slash = source.lastIndexOf('/');
        if (slash < 0) {
            throw KernelError.ENOENT.of(call);
        }
        Inode directory = exported(source.substring(0, slash), call).children.get(source.substring(slash + 1));
        if (directory == null) {
            throw KernelError.ENOENT.of(call);
        }
        if (!directory.isDirectory()) {
            throw KernelError.ENOTDIR.of(call);
        }
        return directory;
    }

    private Filesystem onDevice(FilesystemMount wanted, MountSettings settings, String call) {
        Disk device = machine.device(Path.of(wanted.source()), call);
        if (device.image.unreadable) {
            throw KernelError.EIO.of(call);
        }
        Filesystem filesystem = device.image.filesystem();
        if (filesystem == null || !filesystem.fsType.equals(wanted.fsType())) {
            throw KernelError.EINVAL.of(call, "wrong fs type, bad superblock on " + wanted.source());
        }
        if (device.readOnly && !settings.readOnly()) {
            throw KernelError.EROFS.of(call);
        }
        boolean otherMode = filesystem.mounts > 0
                && machine.mounts().all().stream()
                        .anyMatch(mount -> mount.filesystem == filesystem
                                && !mount.superOptions.contains(settings.readOnly() ? "ro" : "rw"));
        if (otherMode) {
            throw KernelError.EBUSY.of(call, "mounted elsewhere in another mode");
        }
        return filesystem;
    }

    private void acceptIfSame(FilesystemMount wanted, MountSettings settings, Mount there, String call) {
        boolean sameSource = there.source.equals(wanted.source());
        if (MountSettings.needsDevice(wanted.fsType())) {
            sameSource = machine.device(Path.of(wanted.source()), call).image.filesystem() == there.filesystem;
        }
        if (!sameSource || !there.filesystem.fsType.equals(wanted.fsType()) || there.root != there.filesystem.root) {
            throw foreign(call, there);
        }
        if (there.readOnly != settings.readOnly()) {
            throw wrongMode(call, there);
        }
    }

    /** Changes the size, the only option that can change for a filesystem in memory. */
    void reconfigure(FilesystemMount wanted, RootedPath target) {
        String call = "fsconfig(FSCONFIG_CMD_RECONFIGURE) " + target;
        requireRight(call);
        Place place = machine.walk().below(target, Reach.ACROSS_MOUNTS, call);
        if (!isOccupied(place)) {
            throw KernelError.ENOENT.of(call, "nothing is mounted there");
        }
        Mount there = place.mount();
        if (!there.source.equals(wanted.source()) || !there.filesystem.fsType.equals(wanted.fsType())) {
            throw foreign(call, there);
        }
        MountSettings settings = new MountSettings(wanted);
        long bytes = settings.bytes(call);
        if (bytes > 0 && bytes < there.filesystem.usedBytes()) {
            throw KernelError.EINVAL.of(call, "Too small a size for current use");
        }
        there.filesystem.bytes = bytes;
        machine.mounts().reconfigured(there.filesystem, settings.superOptions());
    }

    void unmount(RootedPath target, UnmountMode mode) {
        String call = "umount2 " + target;
        requireRight(call);
        Place place = machine.walk().tryBelow(target, Reach.ACROSS_MOUNTS, call);
        if (place == null || !isOccupied(place)) {
            return;
        }
        Mount top = place.mount();
        if (top.children > 0) {
            // A lazy unmount would also unmount these, even if they belong to others.
            throw KernelError.EBUSY.of(call, "mounted below it: " + pointsBelow(top));
        }
        if (top.holders > 0 && mode != UnmountMode.LAZY) {
            throw KernelError.EBUSY.of(call, top.holders + " processes use it");
        }
        if (top.foreign) {
            machine.violations.add(new Violation("S8", call, "the mount is not ours"));
        }
        take(top);
    }

    void unmountForeign(Path target) {
        String call = "another client's umount2 " + target;
        Place place = machine.walk().follow(target, call);
        if (!isOccupied(place) || place.mount().parent == null) {
            throw KernelError.EINVAL.of(call);
        }
        take(place.mount());
    }

    private List<Path> pointsBelow(Mount mount) {
        return machine.mounts().below(mount.point).stream()
                .filter(each -> each != mount)
                .map(each -> each.point)
                .toList();
    }

    private void take(Mount mount) {
        machine.mounts().remove(mount);
        if (mount.holders > 0) {
            mount.filesystem.hiddenUses++;
        } else if (!mount.filesystem.inUse()) {
            mount.filesystem.sync();
        }
    }

    /**
     * A walk down a mount never returns to its root, so a path that ends at a root has just crossed onto that mount.
     */
    private static boolean isOccupied(Place place) {
        return place.inode() == place.mount().root;
    }

    private void requireRight(String call) {
        if (!abilities.mayMount()) {
            throw VolumeException.finalFailure(call + ": EPERM").withAdvice(abilities.reason());
        }
    }

    private static VolumeException foreign(String call, Mount there) {
        return VolumeException.finalFailure(call + ": something else is mounted there: " + there.filesystem.fsType
                        + " from " + there.source)
                .withAdvice("find out who mounted it, and unmount it by hand if it may go");
    }

    private static VolumeException wrongMode(String call, Mount there) {
        return VolumeException.finalFailure(
                        call + ": it is mounted there already, but " + (there.readOnly ? "read-only" : "read-write"))
                .withAdvice("unmount it first");
    }
}
