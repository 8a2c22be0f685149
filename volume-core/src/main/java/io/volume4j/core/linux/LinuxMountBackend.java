package io.volume4j.core.linux;

import io.volume4j.core.linux.device.LinuxBlockDevices;
import io.volume4j.core.linux.device.LinuxLoopDevices;
import io.volume4j.core.linux.mount.BindMounts;
import io.volume4j.core.linux.mount.FilesystemMounts;
import io.volume4j.core.linux.mount.SharedMountTable;
import io.volume4j.core.linux.mount.Unmounts;
import io.volume4j.core.linux.path.LinuxFiles;
import io.volume4j.core.linux.path.SafePaths;
import io.volume4j.core.linux.sys.Failures;
import io.volume4j.core.linux.sys.Kernel;
import io.volume4j.core.linux.sys.MountCalls;
import io.volume4j.core.linux.sys.SyscallException;
import io.volume4j.core.linux.tool.LinuxPrograms;
import io.volume4j.core.linux.tool.ToolProcesses;
import io.volume4j.core.linux.tool.ToolRunner;
import io.volume4j.core.linux.tool.Tools;
import io.volume4j.core.linux.tool.UserNamespaces;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.mount.Abilities;
import io.volume4j.spi.mount.BindOptions;
import io.volume4j.spi.mount.BlockDevices;
import io.volume4j.spi.mount.FilesystemMount;
import io.volume4j.spi.mount.FilesystemUsage;
import io.volume4j.spi.mount.HostFiles;
import io.volume4j.spi.mount.LoopDevices;
import io.volume4j.spi.mount.MountBackend;
import io.volume4j.spi.mount.MountTable;
import io.volume4j.spi.mount.Programs;
import io.volume4j.spi.mount.RootedPath;
import io.volume4j.spi.mount.UnmountMode;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * The {@link MountBackend} for Linux. Uses system calls and the programs of the system. Thread-safe.
 *
 * <p>Needs 64-bit Linux 4.11 or later and JNA on the class path. Mounting needs {@code CAP_SYS_ADMIN}; a backend
 * without that right can be created and reports it in {@link #abilities()}. With Linux 5.12 and later the backend
 * completes a read-only bind mount before it appears in the directory tree, see mount_setattr(2). With older kernels
 * it completes the mount at a hidden place below the root. It then refuses mapped IDs, and read-only binds that
 * include the mounts below. To map IDs it runs unshare(1). With Linux 6.15 and later the kernel reports each mount
 * and unmount, and the backend updates its table with those. With older kernels it reads the whole table after each
 * change.
 *
 * <p>Calls that access storage block as long as the storage does. Native frames pin virtual threads, so call the
 * backend from platform threads. Closing it releases its descriptors, at most two and one for each held directory. It
 * unmounts nothing.
 *
 * @since 0.1.0
 */
public final class LinuxMountBackend implements MountBackend, AutoCloseable {
    private static final int TARGET_DIRECTORY_MODE = 0750;
    private static final int TARGET_FILE_MODE = 0640;

    private static final Path SELINUX = Path.of("/sys/fs/selinux/enforce");

    private final Kernel kernel;
    private final SharedMountTable table;
    private final BindMounts binds;
    private final FilesystemMounts filesystems;
    private final Unmounts unmounts;
    private final ToolProcesses processes = new ToolProcesses();
    private final LinuxBlockDevices devices;
    private final LinuxLoopDevices loops;
    private final LinuxFiles files;
    private final LinuxPrograms programs;
    private final HostAbilities abilities;

    /**
     * The options of a host. The backend also kills a program at the deadline of the call that runs it, if that comes
     * first. With the defaults, a check and then a format or an expansion end within the hour that a volume manager
     * gives such calls.
     *
     * @param toolDirectories where the backend looks for mkfs, fsck and other programs, in this order. It does not use
     *     {@code PATH}. Default {@code /usr/sbin}, {@code /usr/bin}, {@code /sbin}, {@code /bin}
     * @param formatLimit how long mkfs may run before the backend kills it; default 25 minutes
     * @param checkLimit how long fsck may run; default 30 minutes
     * @param growLimit how long the expansion of a filesystem may run; default 25 minutes
     */
    public record Options(List<Path> toolDirectories, Duration formatLimit, Duration checkLimit, Duration growLimit) {
        public Options {
            toolDirectories = Collections.unmodifiableList(new ArrayList<>(toolDirectories));
            for (Path directory : toolDirectories) {
                if (!directory.isAbsolute()) {
                    throw new IllegalArgumentException("toolDirectories must be absolute: " + directory);
                }
            }
            refuseUnlessPositive("formatLimit", formatLimit);
            refuseUnlessPositive("checkLimit", checkLimit);
            refuseUnlessPositive("growLimit", growLimit);
        }

        public static Options defaults() {
            return new Options(
                    List.of(Path.of("/usr/sbin"), Path.of("/usr/bin"), Path.of("/sbin"), Path.of("/bin")),
                    Duration.ofMinutes(25),
                    Duration.ofMinutes(30),
                    Duration.ofMinutes(25));
        }

        public Options withToolDirectories(List<Path> directories) {
            return new Options(directories, formatLimit, checkLimit, growLimit);
        }

        public Options withFormatLimit(Duration limit) {
            return new Options(toolDirectories, limit, checkLimit, growLimit);
        }

        public Options withCheckLimit(Duration limit) {
            return new Options(toolDirectories, formatLimit, limit, growLimit);
        }

        public Options withGrowLimit(Duration limit) {
            return new Options(toolDirectories, formatLimit, checkLimit, limit);
        }

        private static void refuseUnlessPositive(String option, Duration limit) {
            if (limit.isNegative() || limit.isZero()) {
                throw new IllegalArgumentException(option + " must be positive: " + limit);
            }
        }
    }

    private LinuxMountBackend(Kernel kernel, Options options) {
        this.kernel = kernel;
        SafePaths paths = new SafePaths(kernel);
        MountCalls calls = new MountCalls(kernel);
        table = new SharedMountTable(kernel);
        Tools tools = new Tools(options.toolDirectories());
        binds = new BindMounts(kernel, calls, paths, table, new UserNamespaces(kernel, tools)::open);
        filesystems = new FilesystemMounts(kernel, calls, paths, table);
        unmounts = new Unmounts(calls, paths, table);
        loops = new LinuxLoopDevices(kernel, paths);
        files = new LinuxFiles(kernel, calls, paths);
        LinuxBlockDevices.Limits limits =
                new LinuxBlockDevices.Limits(options.formatLimit(), options.checkLimit(), options.growLimit());
        devices = new LinuxBlockDevices(kernel, table, tools, processes, limits);
        programs = new LinuxPrograms(tools, new ToolRunner(tools, processes));
        abilities = new HostAbilities(kernel, calls, tools);
    }

    /**
     * A backend with {@linkplain Options#defaults() defaults}.
     *
     * @throws VolumeException final, if the operating system is not a supported Linux or JNA cannot be loaded; the
     *     advice says what to do
     */
    public static LinuxMountBackend create() {
        return create(Options.defaults());
    }

    /**
     * A backend with these options.
     * @throws VolumeException as {@link #create()}
     */
    public static LinuxMountBackend create(Options options) {
        try {
            return on(Kernel.load(), options);
        } catch (LinkageError e) {
            // The exception's stack trace only concerns JNA; its first line has the reason.
            String text = String.valueOf(e.getMessage()).lines().findFirst().orElse("");
            throw VolumeException.finalFailure("the Linux mount backend needs JNA, which cannot be loaded: "
                            + e.getClass().getSimpleName() + " " + text)
                    .withAdvice("put net.java.dev.jna:jna-jpms on the class path (on the module path also --add-modules"
                            + " com.sun.jna), and let java.io.tmpdir be a directory from which code may be executed, or"
                            + " set -Djna.boot.library.path");
        }
    }

    static LinuxMountBackend on(Kernel kernel, Options options) {
        return new LinuxMountBackend(kernel, options);
    }

    @Override
    public MountTable table() {
        return table.read();
    }

    @Override
    public void bind(Path source, RootedPath target, BindOptions options) {
        if (!source.isAbsolute()) {
            throw new IllegalArgumentException("a bind source must be absolute: " + source);
        }
        binds.bind(source, target, options);
    }

    @Override
    public void bind(RootedPath source, RootedPath target, BindOptions options) {
        binds.bind(source, target, options);
    }

    @Override
    public void bindInside(RootedPath volume, Path inside, RootedPath target, BindOptions options) {
        binds.bindInside(volume, inside, target, options, directory -> {
            if (directory) {
                files.createDirectory(target, TARGET_DIRECTORY_MODE);
            } else {
                files.createSparseFile(target, 0, TARGET_FILE_MODE);
            }
        });
    }

    @Override
    public void mount(FilesystemMount filesystem, RootedPath target) {
        filesystems.mount(filesystem, target);
    }

    @Override
    public void reconfigure(FilesystemMount filesystem, RootedPath target) {
        filesystems.reconfigure(filesystem, target);
    }

    @Override
    public void unmount(RootedPath target, UnmountMode mode) {
        unmounts.unmount(target, mode);
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

    @Override
    public FilesystemUsage usage(Path path) {
        ByteBuffer status;
        try {
            status = kernel.filesystemStatus(path);
        } catch (SyscallException e) {
            throw Failures.of(e);
        }
        // struct statvfs: unsigned longs, f_bsize first. Counts are in units of f_frsize.
        long unit = status.getLong(8);
        long blocks = status.getLong(16);
        long free = status.getLong(24);
        long available = status.getLong(32);
        return new FilesystemUsage(
                blocks * unit, available * unit, (blocks - free) * unit, status.getLong(40), status.getLong(56));
    }

    @Override
    public void endLeftovers(String operationPrefix, Duration patience) {
        if (operationPrefix.isEmpty()) {
            throw new IllegalArgumentException("an empty prefix would end the tools of every owner");
        }
        List<ProcessHandle> left = processes.end(operation -> operation.startsWith(operationPrefix), patience);
        if (!left.isEmpty()) {
            throw VolumeException.transientFailure("tools of earlier operations were killed and still run: processes "
                            + left.stream().map(ProcessHandle::pid).toList())
                    .withAdvice("their device does not answer; repair or remove it, or restart the machine");
        }
    }

    @Override
    public Abilities abilities() {
        return abilities.find();
    }

    @Override
    public boolean bindsReadOnlyRecursively() {
        return kernel.features().mountApi();
    }

    /** Whether the kernel's SELinux files are mounted, which is the check of libselinux. */
    @Override
    public boolean seLinux() {
        return Files.exists(SELINUX);
    }

    @Override
    public void close() {
        table.close();
        files.close();
    }
}
