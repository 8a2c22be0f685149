package io.volume4j.core.linux.mount;

import io.volume4j.core.linux.path.SafePaths;
import io.volume4j.core.linux.path.SafePaths.Reach;
import io.volume4j.core.linux.sys.Descriptor;
import io.volume4j.core.linux.sys.Errno;
import io.volume4j.core.linux.sys.Kernel;
import io.volume4j.core.linux.sys.MountCalls;
import io.volume4j.core.linux.sys.SyscallException;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.mount.BindOptions;
import io.volume4j.spi.mount.FilesystemMount;
import io.volume4j.spi.mount.MountEntry;
import io.volume4j.spi.mount.RootedPath;
import java.nio.file.Path;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Bind mounts with mount(2), for kernels before 5.12.
 *
 * <p>On these kernels a bind mount begins read-write and as a peer of its source, and further calls change that. So
 * this class creates the mount at a hidden path below the root, configures it there, and binds that to its target: a
 * bind of a read-only mount is read-only from the beginning, and a bind of a mount that is no peer is none. It cannot
 * create a detached mount. A crash can leave the hidden mount, and the next bind below that root removes it. It
 * refuses read-only binds that include the mounts below, because each of those would be visible before it is
 * read-only. Thread-safe.
 */
final class LegacyBindMounts {
    /** The leading dot keeps it out of the layout of volumes. */
    static final Path STAGING = Path.of(".bind-staging");

    private static final Path DIRECTORY = Path.of("directory");
    private static final Path FILE = Path.of("file");

    private final Kernel kernel;
    private final MountCalls calls;
    private final SafePaths paths;
    private final SharedMountTable table;
    /**
     * There is one hidden path. Calls under this lock do not access storage that may hang, except for the source,
     * which is already open.
     */
    private final ReentrantLock staging = new ReentrantLock();

    LegacyBindMounts(Kernel kernel, MountCalls calls, SafePaths paths, SharedMountTable table) {
        this.kernel = kernel;
        this.calls = calls;
        this.paths = paths;
        this.table = table;
    }

    void attach(Descriptor from, Path source, RootedPath target, MountPlace place, BindOptions options) {
        if (options.readOnly() && options.recursive()) {
            throw VolumeException.finalFailure("bind " + source + " on " + place
                            + ": read-only with all mounts below it needs mount_setattr, which this kernel lacks")
                    .withAdvice("use Linux 5.12 or later");
        }
        staging.lock();
        try {
            attachStaged(from, source, target, place, options);
        } finally {
            staging.unlock();
        }
    }

    /** Sets how later mounts below propagate, on an attached mount. */
    void setPropagation(Descriptor mounted, BindOptions options, Object place) {
        long flags = BindMounts.flag(options.propagation()) | (options.recursive() ? MountCalls.MS_REC : 0);
        calls.mount("none", mounted, "", flags, "", place);
    }

    private void attachStaged(Descriptor from, Path source, RootedPath target, MountPlace place, BindOptions options) {
        Path name = kernel.facts(from).isDirectory() ? DIRECTORY : FILE;
        RootedPath hidden = new RootedPath(target.root(), STAGING.resolve(name));
        try (Descriptor root = paths.root(target.root())) {
            sweep(root, hidden);
            kernel.makeDirectory(root, STAGING.toString(), 0700);
            try {
                try (Descriptor stage = mountStage(root, hidden)) {
                    stage(from, source, stage, name, hidden, options);
                    try (Descriptor mounted = paths.open(stage, name, Kernel.O_PATH, Reach.ACROSS_MOUNTS)) {
                        setPropagation(mounted, options, hidden);
                        if (options.readOnly()) {
                            turnReadOnly(mounted, hidden);
                        }
                        mount(mounted, source, place.descriptor(), options.recursive(), place);
                    }
                }
                finish(target, options);
            } catch (SyscallException | VolumeException e) {
                sweepAfter(e, root, hidden);
                throw e;
            }
            afterwards(target, () -> sweep(root, hidden));
        }
    }

    /**
     * Makes the hidden directory a private mount of its own. What is mounted below it then appears at no other place: a
     * hostPath of a directory above the root receives what is mounted below the root.
     */
    private Descriptor mountStage(Descriptor root, RootedPath hidden) {
        try (Descriptor stage = paths.open(root, STAGING, Kernel.O_PATH, Reach.SAME_MOUNT)) {
            calls.mount(stage.magicLink(), stage, "", MountCalls.MS_BIND, "", hidden);
        }
        Descriptor stage = paths.open(root, STAGING, Kernel.O_PATH, Reach.ACROSS_MOUNTS);
        try {
            calls.mount("none", stage, "", MountCalls.MS_PRIVATE, "", hidden);
            return stage;
        } catch (SyscallException e) {
            stage.close();
            throw e;
        }
    }

    private void stage(
            Descriptor from, Path source, Descriptor stage, Path name, RootedPath hidden, BindOptions options) {
        if (name.equals(DIRECTORY)) {
            kernel.makeDirectory(stage, name.toString(), 0700);
        } else {
            kernel.openAt(stage, name.toString(), Kernel.O_CREAT | Kernel.O_WRONLY, 0600)
                    .close();
        }
        try (Descriptor free = paths.open(stage, name, Kernel.O_PATH, Reach.SAME_MOUNT)) {
            mount(from, source, free, options.recursive(), hidden);
        }
    }

    /**
     * Cleans up after a failure. A failure here is not reported: the mount is hidden, the next bind removes it, and
     * the first failure is more useful.
     */
    private void sweepAfter(RuntimeException failure, Descriptor root, RootedPath hidden) {
        try {
            sweep(root, hidden);
        } catch (SyscallException e) {
            failure.addSuppressed(e);
        }
    }

    /** The target is already mounted, so a failure must not mean that the call had no effect. */
    private static void afterwards(RootedPath target, Runnable rest) {
        try {
            rest.run();
        } catch (SyscallException e) {
            throw butThen(target, e);
        }
    }

    private static VolumeException butThen(RootedPath target, SyscallException e) {
        return VolumeException.uncertain("bound on " + target + ", but then " + e.text())
                .withCause(e);
    }

    private void mount(Descriptor from, Path source, Descriptor target, boolean recursive, Object place) {
        long flags = recursive ? MountCalls.MS_BIND | MountCalls.MS_REC : MountCalls.MS_BIND;
        try {
            calls.mount(from.magicLink(), target, "", flags, "", place);
        } catch (SyscallException e) {
            throw e.of("mount(MS_BIND) " + source + " on " + place);
        }
    }

    /** A remount replaces all flags, so the call must pass those that the mount has. */
    private void turnReadOnly(Descriptor mounted, RootedPath hidden) {
        MountEntry entry = table.read()
                .withId(paths.mountId(mounted))
                .orElseThrow(() -> VolumeException.transientFailure("the mount on " + hidden + " has just gone"));
        long has = MountOptions.of(new FilesystemMount("", "", true, entry.options()))
                .flags();
        calls.mount("none", mounted, "", MountCalls.MS_REMOUNT | MountCalls.MS_BIND | has, "", hidden);
    }

    /** A mount that is attached below a shared mount becomes shared, so this must come last. */
    private void finish(RootedPath target, BindOptions options) {
        try (Descriptor mounted = mounted(target)) {
            try {
                setPropagation(mounted, options, target);
            } catch (SyscallException e) {
                throw calls.takenBack(e, mounted, target);
            }
        }
    }

    private Descriptor mounted(RootedPath target) {
        try (Descriptor root = paths.root(target.root())) {
            return paths.open(root, target.relative(), Kernel.O_PATH, Reach.ACROSS_MOUNTS);
        } catch (SyscallException e) {
            throw butThen(target, e);
        }
    }

    /** Removes the hidden directory with all that is mounted there. */
    private void sweep(Descriptor root, RootedPath hidden) {
        try {
            while (true) {
                leavePeers(root, hidden);
                calls.unmount(root, STAGING.toString(), MountCalls.UMOUNT_DETACH, hidden);
            }
        } catch (SyscallException e) {
            if (!e.is(Errno.EINVAL) && !e.is(Errno.ENOENT)) {
                throw e;
            }
        }
        ignoring(Errno.ENOENT, () -> {
            try (Descriptor stage = paths.open(root, STAGING, Kernel.O_PATH, Reach.SAME_MOUNT)) {
                ignoring(Errno.ENOENT, () -> kernel.removeDirectory(stage, DIRECTORY.toString()));
                ignoring(Errno.ENOENT, () -> kernel.removeFile(stage, FILE.toString()));
            }
            kernel.removeDirectory(root, STAGING.toString());
        });
    }

    /** What is mounted may still be a peer of its source. Its unmount must not reach what is mounted below the source. */
    private void leavePeers(Descriptor root, RootedPath hidden) {
        try (Descriptor stage = paths.open(root, STAGING, Kernel.O_PATH, Reach.ACROSS_MOUNTS)) {
            calls.mount("none", stage, "", MountCalls.MS_PRIVATE | MountCalls.MS_REC, "", hidden);
        }
    }

    private static void ignoring(Errno expected, Runnable call) {
        try {
            call.run();
        } catch (SyscallException e) {
            if (!e.is(expected)) {
                throw e;
            }
        }
    }
}
