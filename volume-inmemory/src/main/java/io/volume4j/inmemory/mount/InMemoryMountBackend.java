package io.volume4j.inmemory.mount;

import io.volume4j.inmemory.fault.BlockingGate;
import io.volume4j.inmemory.fault.CallGate;
import io.volume4j.inmemory.fault.FaultScript;
import io.volume4j.inmemory.fault.ScriptedCalls;
import io.volume4j.inmemory.host.ManualClock;
import io.volume4j.inmemory.oracle.Violation;
import io.volume4j.spi.mount.Abilities;
import io.volume4j.spi.mount.BindOptions;
import io.volume4j.spi.mount.BindOptions.Propagation;
import io.volume4j.spi.mount.BlockDevices;
import io.volume4j.spi.mount.DeviceContent;
import io.volume4j.spi.mount.FilesystemMount;
import io.volume4j.spi.mount.FilesystemUsage;
import io.volume4j.spi.mount.HostFiles;
import io.volume4j.spi.mount.HostFiles.FileStatus;
import io.volume4j.spi.mount.LoopDevices;
import io.volume4j.spi.mount.MountBackend;
import io.volume4j.spi.mount.MountTable;
import io.volume4j.spi.mount.Programs;
import io.volume4j.spi.mount.RootedPath;
import io.volume4j.spi.mount.UnmountMode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * An in-memory machine with a mount backend. Faults of {@link #faults()} apply to calls of the library. They do not
 * apply to actions of a test, such as disks, reboots, foreign mounts and writes of pods. {@link #violations()} must
 * be empty at the end of every test that does not expect one. Thread-safe.
 *
 * @since 0.1.0
 */
public final class InMemoryMountBackend implements MountBackend {
    private static final long UNLIMITED = 1L << 50;

    private final Machine machine;
    private final Abilities abilities;
    private final boolean seLinux;
    private final FaultScript faults = new FaultScript();
    private final CallGate gate;
    private final MachineCalls calls;
    private final Mounting mounting;
    private final MemoryDevices devices;
    private final MemoryLoops loops;
    private final MemoryFiles files;
    private final MemoryPrograms programs;
    private final UserFiles userFiles;
    private final Set<Path> omitted = new LinkedHashSet<>();

    private InMemoryMountBackend(Builder builder) {
        machine = new Machine(builder.diskBytes, builder.projectQuotas);
        abilities =
                new Abilities(builder.whyNotMount.isEmpty(), builder.whyNotMount, builder.filesystems, builder.formats);
        seLinux = builder.seLinux;
        gate = builder.gate == null ? new BlockingGate(new ManualClock()) : builder.gate;
        calls = new MachineCalls(machine, builder.node, new ScriptedCalls(faults, gate));
        mounting = new Mounting(machine, abilities);
        devices = new MemoryDevices(machine, calls, abilities);
        loops = new MemoryLoops(machine, calls, abilities);
        files = new MemoryFiles(machine, calls);
        programs = new MemoryPrograms(calls);
        userFiles = new UserFiles(machine);
    }

    /** A machine with the usual filesystems and the right to mount. */
    public static InMemoryMountBackend create() {
        return builder().build();
    }

    public static Builder builder() {
        return new Builder();
    }

    @Override
    public MountTable table() {
        return calls.get("table", Path.of("/"), () -> {
            TableSnapshot table = machine.mounts().table();
            for (Path each : omitted) {
                table = table.without(each);
            }
            omitted.clear();
            return table;
        });
    }

    @Override
    public void bind(Path source, RootedPath target, BindOptions options) {
        calls.make("bind", target.absolute(), () -> mounting.bind(source, target, options));
    }

    @Override
    public void bind(RootedPath source, RootedPath target, BindOptions options) {
        calls.make("bind", target.absolute(), () -> mounting.bind(source, target, options));
    }

    @Override
    public void bindInside(RootedPath volume, Path inside, RootedPath target, BindOptions options) {
        calls.make("bindInside", target.absolute(), () -> mounting.bindInside(volume, inside, target, options));
    }

    @Override
    public void mount(FilesystemMount filesystem, RootedPath target) {
        calls.make("mount", target.absolute(), () -> mounting.mount(filesystem, target));
    }

    @Override
    public void reconfigure(FilesystemMount filesystem, RootedPath target) {
        calls.make("reconfigure", target.absolute(), () -> mounting.reconfigure(filesystem, target));
    }

    @Override
    public void unmount(RootedPath target, UnmountMode mode) {
        calls.make("unmount", target.absolute(), () -> mounting.unmount(target, mode));
    }

    @Override
    public boolean seLinux() {
        return seLinux;
    }

    @Override
    public BlockDevices devices() {
        return devices;
    }

    @Override
    public LoopDevices loops() {
        return loops;
    }

    @Override
    public HostFiles files() {
        return files;
    }

    @Override
    public Programs programs() {
        return programs;
    }

    /** Installs a program with this behaviour. It survives reboots. */
    public void install(Path program, Function<Programs.Command, Programs.Outcome> behaviour) {
        programs.install(program, behaviour);
    }

    /**
     * Adds a file of the kernel, such as one in sysfs. The function gets each text that is written to it.
     * @param file a path without links. To see the file in listings, a test must also write it
     */
    public void attribute(Path file, Consumer<String> behaviour) {
        files.attribute(file, behaviour);
    }

    @Override
    public FilesystemUsage usage(Path path) {
        return calls.get("usage", path, () -> {
            Filesystem filesystem =
                    machine.walk().follow(path, "statfs " + path).inode().filesystem;
            long total = filesystem.bytes == 0 ? UNLIMITED : filesystem.bytes;
            long used = filesystem.usedBytes();
            long inodes = total / 4096;
            return new FilesystemUsage(total, total - used, used, inodes, inodes - filesystem.usedInodes());
        });
    }

    @Override
    public Abilities abilities() {
        return abilities;
    }

    /**
     * The faults for future calls. Calls are {@code table}, {@code bind}, {@code bindInside}, {@code mount},
     * {@code reconfigure}, {@code unmount}, {@code usage}, {@code identify}, {@code probe}, {@code format},
     * {@code check}, {@code grow}, {@code attachLoop}, {@code findLoop}, {@code detachLoop}, {@code refreshLoop},
     * {@code loopsBelow}, {@code createRoot}, {@code createDirectory}, {@code removeDirectory}, {@code removeTree},
     * {@code createSparseFile}, {@code growFile}, {@code removeFile}, {@code writeAtomically}, {@code writeUnsynced},
     * {@code setQuota}, {@code removeQuota}, {@code measure}, {@code read}, {@code status}, {@code list} and
     * {@code resolve}; the subject is the target, the device or the file.
     */
    public FaultScript faults() {
        return faults;
    }

    /**
     * The gate for hanging calls.
     * @throws IllegalStateException if the machine was built with another kind of gate
     */
    public BlockingGate blockingGate() {
        if (gate instanceof BlockingGate blocking) {
            return blocking;
        }
        throw new IllegalStateException("this backend was built with a gate of its own");
    }

    /** The machine's files, as pods and other processes access them. */
    public UserFiles user() {
        return userFiles;
    }

    /**
     * Adds a blank disk, which survives reboots.
     * @param serial the serial number of the disk
     */
    public void addDisk(Path device, String serial, long bytes) {
        synchronized (machine) {
            String majorMinor = "253:" + (16 + machine.nextNumber());
            Disk disk = new Disk(device, majorMinor, serial, new DiskImage(), bytes, false, null, null);
            machine.disks.put(device, disk);
            machine.addNode(disk);
        }
    }

    /**
     * Adds another path to an existing disk: both paths have the same content. The disk stays when this path is
     * removed. The path survives reboots.
     */
    public void addWay(Path device, Path disk) {
        synchronized (machine) {
            Disk there = machine.device(disk, "plug " + device);
            String majorMinor = "8:" + (16 + machine.nextNumber());
            Disk way = new Disk(device, majorMinor, there.serial, there.image, there.bytes, false, null, null);
            machine.disks.put(device, way);
            machine.addNode(way);
        }
    }

    /** Removes a disk with its content. Its mounts stay, as on a real machine. */
    public void removeDisk(Path device) {
        synchronized (machine) {
            Disk disk = machine.device(device, "unplug " + device);
            machine.disks.remove(device);
            machine.removeNode(disk);
        }
    }

    /** Changes the size of a disk. */
    public void resizeDisk(Path device, long bytes) {
        synchronized (machine) {
            machine.device(device, "resize " + device).bytes = bytes;
        }
    }

    /**
     * Writes content other than a filesystem to a device: {@code gpt}, {@code lvm2}, {@code ""} for data of an
     * unknown kind.
     */
    public void putForeign(Path device, String type) {
        synchronized (machine) {
            machine.device(device, "write " + device).image.becomeForeign(type);
        }
    }

    /** Writes data to a device outside the places of signatures: only a read of the whole device finds it. */
    public void putHidden(Path device) {
        synchronized (machine) {
            machine.device(device, "write " + device).image.becomeHidden();
        }
    }

    /** The content of a device, without a read by the library. */
    public DeviceContent content(Path device) {
        synchronized (machine) {
            return machine.device(device, "look at " + device).image.content();
        }
    }

    /** Erases a disk, as a person does who knows that its content is not needed. */
    public void putNothing(Path device) {
        synchronized (machine) {
            machine.device(device, "empty " + device).image.becomeBlank();
        }
    }

    /** Writes a filesystem to a device, as another program would. */
    public void putFilesystem(Path device, String fsType) {
        synchronized (machine) {
            Disk disk = machine.device(device, "write " + device);
            disk.image.becomeFilesystem(new Filesystem(fsType, disk.majorMinor, disk.bytes));
        }
    }

    /** Makes every read of a device fail, or succeed again. */
    public void setUnreadable(Path device, boolean unreadable) {
        synchronized (machine) {
            machine.device(device, "break " + device).image.unreadable = unreadable;
        }
    }

    /** Gives a filesystem errors that no check repairs, or removes them. */
    public void setDamaged(Path device, boolean damaged) {
        synchronized (machine) {
            machine.device(device, "damage " + device).image.damaged = damaged;
        }
    }

    /**
     * Makes a server export a directory. The directories below it can be mounted too. Mounting any other source of a
     * network filesystem fails with {@code ENOENT}.
     */
    public void export(String fsType, String source) {
        synchronized (machine) {
            machine.exports.computeIfAbsent(source, unused -> new Filesystem(fsType, machine.nextAnonymousDevice(), 0));
        }
    }

    /** Mounts a filesystem as another program would, over any existing mount. */
    public void mountForeign(FilesystemMount filesystem, Path target) {
        synchronized (machine) {
            mounting.mountForeign(filesystem, target);
        }
    }

    /** Unmounts the topmost mount at the path, as another program would. */
    public void unmountForeign(Path target) {
        synchronized (machine) {
            mounting.unmountForeign(target);
        }
    }

    /** Omits the mounts at the path from the next reading of the mount table, as kernels before 5.8 could do. */
    public void omitFromNextTable(Path mountPoint) {
        synchronized (machine) {
            omitted.add(mountPoint);
        }
    }

    /** How later mounts below the topmost mount at the path propagate. */
    public Propagation propagation(Path mountPoint) {
        synchronized (machine) {
            return machine.walk().follow(mountPoint, "mountinfo " + mountPoint).mount().propagation;
        }
    }

    /** Restarts the machine cleanly: it loses mounts and loop devices, but keeps all written data. */
    public void reboot() {
        synchronized (machine) {
            machine.reboot(false);
        }
    }

    /** Cuts the power: as {@link #reboot}, but the machine also loses unsynced data. */
    public void losePower() {
        synchronized (machine) {
            machine.reboot(true);
        }
    }

    /** The boot id, which changes with each reboot, as {@code /proc/sys/kernel/random/boot_id} does. */
    public String bootId() {
        synchronized (machine) {
            return "boot-" + machine.boots();
        }
    }

    /** Whether {@link #violations()} is not empty. */
    public boolean violated() {
        synchronized (machine) {
            return !machine.violations.isEmpty();
        }
    }

    /** All violations, in order. */
    public List<Violation> violations() {
        synchronized (machine) {
            return List.copyOf(machine.violations);
        }
    }

    /**
     * Everything that is left at or below the path, as sorted lines: mounts, loop devices of files, names, and quotas
     * of directories. Empty if nothing is left.
     */
    public List<String> leaks(Path root) {
        synchronized (machine) {
            SortedSet<String> found = new TreeSet<>();
            machine.mounts()
                    .below(root)
                    .forEach(mount ->
                            found.add("mount " + mount.point + " of " + mount.filesystem.fsType + " " + mount.source));
            machine.loops.values().stream()
                    .filter(loop -> loop.backingPath != null && loop.backingPath.startsWith(root))
                    .forEach(loop -> found.add("loop device " + loop.path + " of " + loop.backingPath));
            machine.quotas.paths().stream()
                    .filter(path -> path.startsWith(root))
                    .forEach(path -> found.add("quota of " + path));
            Optional.ofNullable(machine.walk().tryFollow(root, "find " + root))
                    .ifPresent(place -> addNames(place.inode(), root, found));
            return new ArrayList<>(found);
        }
    }

    private static void addNames(Inode directory, Path path, Set<String> found) {
        directory.children.forEach((name, child) -> {
            Path whole = path.resolve(name);
            found.add((child.type == FileStatus.Type.DIRECTORY ? "directory " : "file ") + whole);
            addNames(child, whole, found);
        });
    }

    /** Builds a machine. Not thread-safe. */
    public static final class Builder {
        private String node = "";
        private String whyNotMount = "";
        private boolean seLinux = true;
        private SortedSet<String> filesystems = new TreeSet<>(List.of("btrfs", "ext4", "tmpfs", "xfs"));
        private SortedSet<String> formats = new TreeSet<>(List.of("btrfs", "ext4", "xfs"));
        private long diskBytes;
        private boolean projectQuotas;
        private @Nullable CallGate gate;

        private Builder() {}

        /** The name of the machine, for the choice of faults; default {@code ""}. */
        public Builder node(String name) {
            node = name;
            return this;
        }

        /** The process has no right to mount, for this reason. */
        public Builder mayNotMount(String reason) {
            whyNotMount = reason;
            return this;
        }

        /** The machine has no SELinux, so that contexts of pods have no effect. By default it has SELinux. */
        public Builder withoutSeLinux() {
            seLinux = false;
            return this;
        }

        /** The filesystems that the kernel can mount; default btrfs, ext4, tmpfs and xfs. */
        public Builder filesystems(String... types) {
            filesystems = new TreeSet<>(List.of(types));
            return this;
        }

        /** The filesystems with an installed mkfs; default btrfs, ext4 and xfs. */
        public Builder formats(String... types) {
            formats = new TreeSet<>(List.of(types));
            return this;
        }

        /** The size of the machine's own disk in bytes; default 0, no limit. Sparse files use no space. */
        public Builder diskBytes(long bytes) {
            diskBytes = bytes;
            return this;
        }

        /** The machine's own disk is mounted with project quotas. By default it is not, as on most machines. */
        public Builder projectQuotas() {
            projectQuotas = true;
            return this;
        }

        /** The gate where calls wait; by default a {@link BlockingGate} with a clock that does not advance. */
        public Builder gate(CallGate newGate) {
            gate = newGate;
            return this;
        }

        public InMemoryMountBackend build() {
            return new InMemoryMountBackend(this);
        }
    }
}
