package io.volume4j.core.linux.device;

import io.volume4j.core.linux.device.LoopInventory.Entry;
import io.volume4j.core.linux.path.SafePaths;
import io.volume4j.core.linux.path.SafePaths.Reach;
import io.volume4j.core.linux.sys.Descriptor;
import io.volume4j.core.linux.sys.Errno;
import io.volume4j.core.linux.sys.Failures;
import io.volume4j.core.linux.sys.FileFacts;
import io.volume4j.core.linux.sys.IoctlRequest;
import io.volume4j.core.linux.sys.Kernel;
import io.volume4j.core.linux.sys.SyscallException;
import io.volume4j.spi.FailureKind;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.mount.HostFiles.FileStatus;
import io.volume4j.spi.mount.LoopDevices;
import io.volume4j.spi.mount.RootedPath;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * {@link LoopDevices} by loop(4). A device belongs to a file if its own status has the device and inode of the file.
 * Names in sysfs become outdated when files are renamed. The search reads every device with a file, because a second
 * device for one file would overwrite data of the first.
 */
public final class LinuxLoopDevices implements LoopDevices {
    private static final Path CONTROL = Path.of("/dev/loop-control");
    private static final int CONFIG_SIZE = 304;
    private static final int FREE_DEVICES_TRIED = 64;
    /**
     * The number of checks after a detach. Programs that inspect every new device, such as udev, keep it open for a
     * moment.
     */
    private static final int LOOKS_AFTER_DETACH = 2000;

    private final Kernel kernel;
    private final SafePaths paths;
    private final LoopInventory table;
    private final Set<String> beingAttached = ConcurrentHashMap.newKeySet();

    public LinuxLoopDevices(Kernel kernel, SafePaths paths) {
        this.kernel = kernel;
        this.paths = paths;
        this.table = new LoopInventory(kernel);
    }

    @Override
    public Path attach(RootedPath file, boolean readOnly) {
        try (Descriptor found = open(file)) {
            FileFacts facts = kernel.facts(found);
            if (!facts.isRegular() && facts.type() != FileStatus.Type.BLOCK_DEVICE) {
                throw VolumeException.finalFailure("loop device for " + file + ": it is no regular file and no device");
            }
            String identity = facts.device() + ":" + facts.inode();
            if (!beingAttached.add(identity)) {
                throw VolumeException.transientFailure("loop device for " + file + ": another call is setting it up");
            }
            try {
                Owned existing = search(facts, paths.canonical(found), readOnly);
                return existing == null ? setUp(found, file, readOnly) : accept(existing, file, readOnly);
            } finally {
                beingAttached.remove(identity);
            }
        } catch (SyscallException e) {
            throw Failures.of(e);
        }
    }

    @Override
    public Optional<Path> find(RootedPath file) {
        try {
            return Optional.ofNullable(search(file)).map(owned -> owned.entry.device());
        } catch (SyscallException e) {
            throw Failures.of(e);
        }
    }

    @Override
    public void detach(RootedPath file) {
        try {
            for (Owned owned = search(file); owned != null; owned = search(file)) {
                takeDown(owned, file);
            }
        } catch (SyscallException e) {
            throw Failures.of(e, Failures.Effect.POSSIBLE);
        }
    }

    @Override
    public void refreshSize(RootedPath file) {
        try {
            Owned owned = search(file);
            if (owned == null) {
                throw VolumeException.transientFailure("resize the loop device of " + file + ": it has none");
            }
            try (Descriptor device = kernel.open(owned.entry.device(), Kernel.O_RDONLY)) {
                if (!owned.isStillOn(device, table)) {
                    throw VolumeException.transientFailure(
                            "resize " + owned.entry.device() + ": it is no longer that of " + file);
                }
                kernel.control(device, IoctlRequest.LOOP_SET_CAPACITY, 0);
            }
        } catch (SyscallException e) {
            throw Failures.of(e);
        }
    }

    @Override
    public List<LoopDevice> below(Path directory) {
        Path real = real(directory);
        List<LoopDevice> found = new ArrayList<>();
        for (Entry entry : table.entries()) {
            if (entry.file().startsWith(directory) || entry.file().startsWith(real)) {
                found.add(
                        new LoopDevice(entry.device(), table.withFullName(entry).file()));
            }
        }
        return Collections.unmodifiableList(found);
    }

    /**
     * A device that belongs to the file.
     *
     * @param file null for a deleted file; then only the path identifies the device
     */
    private record Owned(Entry entry, @Nullable FileFacts file) {
        boolean isStillOn(Descriptor device, LoopInventory table) {
            return file == null
                    ? table.entry(entry.number()).equals(Optional.of(entry))
                    : table.status(device).map(status -> status.isOf(file)).orElse(false);
        }
    }

    private @Nullable Owned search(RootedPath file) {
        @Nullable Descriptor found = openIfThere(file);
        if (found == null) {
            return searchDeleted(canonical(file));
        }
        try (found) {
            return search(kernel.facts(found), paths.canonical(found), false);
        }
    }

    private @Nullable Owned searchDeleted(Path file) {
        for (Entry entry : table.entries()) {
            if (entry.file().equals(file) && table.withFullName(entry).deleted()) {
                return new Owned(entry, null);
            }
        }
        return null;
    }

    /**
     * The best device of the file: other programs may have made more of them, also for a part of the file. Such a device may
     * have no node here: a container has the nodes of the time of its start. Then only sysfs tells of which file it is, and
     * only another device that shows the whole file can be used.
     */
    private @Nullable Owned search(FileFacts file, Path path, boolean readOnly) {
        @Nullable Owned best = null;
        @Nullable Entry withoutNode = null;
        boolean whole = false;
        int fitness = -1;
        for (Entry entry : table.entries()) {
            try {
                @Nullable
                LoopStatus status =
                        statusOf(entry).filter(each -> each.isOf(file)).orElse(null);
                if (status != null && status.fitness(readOnly) > fitness) {
                    best = new Owned(entry, file);
                    whole = status.plain();
                    fitness = status.fitness(readOnly);
                }
            } catch (SyscallException e) {
                if (!e.is(Errno.ENOENT)) {
                    throw e;
                }
                withoutNode = entry.file().equals(path) ? entry : withoutNode;
            }
        }
        if (withoutNode != null && !whole) {
            throw VolumeException.transientFailure("loop device of " + path + ": sysfs shows " + withoutNode.device()
                            + ", and there is no such device node")
                    .withAdvice("make the node, or let the container see the host's /dev");
        }
        return best;
    }

    private Optional<LoopStatus> statusOf(Entry entry) {
        try (Descriptor device = kernel.open(entry.device(), Kernel.O_RDONLY | Kernel.O_NONBLOCK)) {
            return table.status(device);
        } catch (SyscallException e) {
            if (e.is(Errno.ENXIO)) {
                // The device was detached after the read of sysfs.
                return Optional.empty();
            }
            throw e;
        }
    }

    private Path accept(Owned existing, RootedPath file, boolean readOnly) {
        Path device = existing.entry.device();
        LoopStatus there = statusOf(existing.entry)
                .orElseThrow(() -> VolumeException.transientFailure(device + " was taken down just now"));
        String tried = "loop device for " + file + ": " + device + " is set up for it already, but ";
        if (there.goesWhenClosed()) {
            throw VolumeException.transientFailure(
                            tried + "the kernel detaches it when the process that has it open closes it")
                    .withAdvice("it is set up again then; find the process with fuser -v " + device);
        }
        if (!there.plain()) {
            throw VolumeException.finalFailure(tried + "shows only a part of it, or decrypts it")
                    .withAdvice("another program made this device; detach it first");
        }
        if (there.readOnly() != readOnly) {
            throw VolumeException.finalFailure(tried + (there.readOnly() ? "read-only" : "read-write"))
                    .withAdvice("detach it first");
        }
        return device;
    }

    private Path setUp(Descriptor found, RootedPath file, boolean readOnly) {
        int mode = readOnly ? Kernel.O_RDONLY : Kernel.O_RDWR;
        try (Descriptor backing = kernel.open(found.magicLink(), mode);
                Descriptor control = open(CONTROL)) {
            for (int i = 0; i < FREE_DEVICES_TRIED; i++) {
                int number = kernel.control(control, IoctlRequest.LOOP_CTL_GET_FREE, 0);
                Path path = Path.of("/dev/loop" + number);
                try (Descriptor device = kernel.open(path, mode)) {
                    configure(device, backing, readOnly, file);
                    return path;
                } catch (SyscallException e) {
                    // Another process set up the same free device first.
                    if (!e.is(Errno.EBUSY)) {
                        throw e.of(e.call() + " for " + file);
                    }
                }
            }
        }
        throw VolumeException.transientFailure("loop device for " + file + ": others took " + FREE_DEVICES_TRIED
                + " free devices in a row before it could be set up");
    }

    private Descriptor open(Path control) {
        try {
            return kernel.open(control, Kernel.O_RDWR);
        } catch (SyscallException e) {
            if (e.is(Errno.ENOENT)) {
                throw VolumeException.finalFailure(
                                "there is no " + control + ": this kernel or container has no loop devices")
                        .withAdvice("load the kernel module loop, or let the container see the host's /dev");
            }
            throw e;
        }
    }

    private void configure(Descriptor device, Descriptor backing, boolean readOnly, RootedPath file) {
        byte[] settings = LoopStatus.settings(readOnly, file);
        byte[] config = ByteBuffer.allocate(CONFIG_SIZE)
                .order(ByteOrder.nativeOrder())
                .putInt(backing.number())
                .putInt(0)
                .put(settings)
                .array();
        if (kernel.features().loopConfigure()) {
            try {
                kernel.control(device, IoctlRequest.LOOP_CONFIGURE, config);
                return;
            } catch (SyscallException e) {
                // Kernels before 5.8 return these for unknown requests.
                if (!e.is(Errno.EINVAL) && !e.is(Errno.ENOTTY)) {
                    throw e;
                }
            }
        }
        configureInTwoSteps(device, backing, settings);
    }

    private void configureInTwoSteps(Descriptor device, Descriptor backing, byte[] settings) {
        kernel.control(device, IoctlRequest.LOOP_SET_FD, backing.number());
        try {
            kernel.control(device, IoctlRequest.LOOP_SET_STATUS64, settings);
        } catch (SyscallException e) {
            kernel.control(device, IoctlRequest.LOOP_CLR_FD, 0);
            throw e;
        }
    }

    /**
     * LOOP_CLR_FD succeeds on a device that is in use, and detaches it when its last user closes it. So this method
     * first opens the device exclusively, which fails if a mount or another device uses it. It reports success only
     * when sysfs confirms it.
     */
    private void takeDown(Owned owned, RootedPath file) {
        Path path = owned.entry.device();
        try (Descriptor device = kernel.open(path, Kernel.O_RDONLY | Kernel.O_EXCL)) {
            if (!owned.isStillOn(device, table)) {
                return;
            }
            kernel.control(device, IoctlRequest.LOOP_CLR_FD, 0);
        } catch (SyscallException e) {
            if (e.is(Errno.ENXIO)) {
                return;
            }
            if (e.is(Errno.EBUSY)) {
                throw VolumeException.of(
                                FailureKind.IN_USE, "detach " + path + " from " + file + ": it is in use: EBUSY (busy)")
                        .withAdvice("unmount what is mounted from it first")
                        .withCause(e);
            }
            throw e.of(e.call() + " for " + file);
        }
        for (int i = 0; i < LOOKS_AFTER_DETACH; i++) {
            if (!table.entry(owned.entry.number()).equals(Optional.of(owned.entry))) {
                return;
            }
            Thread.onSpinWait();
        }
        throw VolumeException.uncertain("detach " + path + " from " + file
                        + ": another process has it open; the kernel detaches it when that process closes it")
                .withAdvice("find the process with fuser -v " + path);
    }

    private @Nullable Descriptor openIfThere(RootedPath file) {
        try {
            return open(file);
        } catch (SyscallException e) {
            if (e.is(Errno.ENOENT)) {
                return null;
            }
            throw e;
        }
    }

    private Descriptor open(RootedPath file) {
        try (Descriptor root = paths.root(file.root())) {
            return paths.open(root, file.relative(), Kernel.O_PATH, Reach.ACROSS_MOUNTS);
        }
    }

    private Path canonical(RootedPath file) {
        try (Descriptor root = paths.root(file.root())) {
            return paths.canonical(root).resolve(file.relative());
        } catch (SyscallException e) {
            return file.absolute();
        }
    }

    private static Path real(Path directory) {
        try {
            return directory.toRealPath();
        } catch (IOException e) {
            return directory;
        }
    }
}
