package io.volume4j.core.linux.mount;

import io.volume4j.core.linux.path.SafePaths;
import io.volume4j.core.linux.sys.Descriptor;
import io.volume4j.core.linux.sys.Errno;
import io.volume4j.core.linux.sys.Failures;
import io.volume4j.core.linux.sys.MountCalls;
import io.volume4j.core.linux.sys.PathText;
import io.volume4j.core.linux.sys.RawName;
import io.volume4j.core.linux.sys.SyscallException;
import io.volume4j.spi.FailureKind;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.mount.MountEntry;
import io.volume4j.spi.mount.RootedPath;
import io.volume4j.spi.mount.UnmountMode;
import java.nio.file.Path;
import java.util.List;

/** Unmounts, without access to the mounted storage. Thread-safe. */
public final class Unmounts {
    private final MountCalls calls;
    private final SafePaths paths;
    private final SharedMountTable table;

    public Unmounts(MountCalls calls, SafePaths paths, SharedMountTable table) {
        this.calls = calls;
        this.paths = paths;
        this.table = table;
    }

    public void unmount(RootedPath target, UnmountMode mode) {
        if (mode == UnmountMode.LAZY) {
            refuseToTakeOthersAlong(target);
        }
        try (Descriptor parent = paths.parent(target)) {
            calls.unmount(parent, target.relative().getFileName().toString(), flags(mode), target);
        } catch (SyscallException e) {
            if (e.is(Errno.EINVAL) || e.is(Errno.ENOENT)) {
                acceptIfNotMounted(target, mode, e);
            } else if (e.is(Errno.EBUSY)) {
                throw busy(target, e);
            } else {
                throw Failures.of(e, Failures.Effect.POSSIBLE);
            }
        }
    }

    /**
     * The kernel returns this error if nothing is mounted, but also for mounts that must stay, and for a name that the
     * table shows with escapes.
     */
    private void acceptIfNotMounted(RootedPath target, UnmountMode mode, SyscallException e) {
        Path path = canonical(target);
        if (table.read().at(path).isPresent() && !unmountedByBytes(target, mode)) {
            table.read().at(path).ifPresent(entry -> {
                throw VolumeException.finalFailure(e.text() + "; the mount table shows " + entry.fsType() + " from "
                                + entry.source() + " there, hidden by another mount or locked by another namespace")
                        .withAdvice("look at /proc/self/mountinfo and unmount by hand what covers it");
            });
        }
    }

    /**
     * Unmounts a mount with a name that is no text in the encoding of this process. The mounts below a hostPath have any
     * names, and the kernel does not know the text with which the table shows them.
     *
     * @return false if no such mount is there
     */
    private boolean unmountedByBytes(RootedPath target, UnmountMode mode) {
        List<RawName> names = PathText.unescaped(target.relative());
        if (names.isEmpty()) {
            return false;
        }
        try (Descriptor root = paths.root(target.root());
                Descriptor parent = paths.parent(root, names)) {
            calls.unmount(parent, names.get(names.size() - 1), flags(mode), target);
            return true;
        } catch (SyscallException e) {
            if (e.is(Errno.EINVAL) || e.is(Errno.ENOENT)) {
                return false;
            }
            throw e.is(Errno.EBUSY) ? busy(target, e) : Failures.of(e, Failures.Effect.POSSIBLE);
        }
    }

    /** A lazy unmount also removes all mounts below, including those of other owners. */
    private void refuseToTakeOthersAlong(RootedPath target) {
        Path path = canonical(target);
        List<MountEntry> below = table.read().below(path).stream()
                .filter(entry -> !entry.mountPoint().equals(path))
                .toList();
        if (!below.isEmpty()) {
            throw VolumeException.of(
                            FailureKind.IN_USE,
                            "umount2(MNT_DETACH) " + target + ": others are mounted below: " + names(below))
                    .withAdvice("unmount those first");
        }
    }

    private VolumeException busy(RootedPath target, SyscallException e) {
        Path path = canonical(target);
        List<MountEntry> below = table.read().below(path).stream()
                .filter(entry -> !entry.mountPoint().equals(path))
                .toList();
        VolumeException failure = Failures.of(e);
        return below.isEmpty()
                ? failure
                : VolumeException.of(failure.kind(), failure.reason() + "; mounted below it: " + names(below))
                        .withAdvice("unmount those first")
                        .withCause(e);
    }

    /** The path as in the mount table, if the root is reachable. */
    private Path canonical(RootedPath target) {
        try (Descriptor root = paths.root(target.root())) {
            return paths.canonical(root).resolve(target.relative());
        } catch (SyscallException e) {
            return target.absolute();
        }
    }

    private static String names(List<MountEntry> entries) {
        int shown = 3;
        String names = String.join(
                ", ",
                entries.stream()
                        .limit(shown)
                        .map(entry -> entry.mountPoint().toString())
                        .toList());
        return entries.size() > shown ? names + " and " + (entries.size() - shown) + " more" : names;
    }

    private static int flags(UnmountMode mode) {
        switch (mode) {
            case NORMAL:
                return 0;
            case FORCE:
                return MountCalls.UMOUNT_FORCE;
            case LAZY:
                return MountCalls.UMOUNT_DETACH;
        }
        throw new AssertionError(mode);
    }
}
