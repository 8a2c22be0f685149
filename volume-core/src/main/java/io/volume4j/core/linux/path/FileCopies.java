package io.volume4j.core.linux.path;

import io.volume4j.core.linux.sys.Descriptor;
import io.volume4j.core.linux.sys.Errno;
import io.volume4j.core.linux.sys.FileFacts;
import io.volume4j.core.linux.sys.IoctlRequest;
import io.volume4j.core.linux.sys.Kernel;
import io.volume4j.core.linux.sys.SyscallException;
import io.volume4j.spi.CallContext;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.mount.RootedPath;
import java.util.Arrays;

/**
 * Copies files: in constant time if the filesystem can share blocks, otherwise data by data, without the holes. The
 * copy of data takes time. It has the content of one instant only if the original has the same ctime afterwards: the
 * kernel sets the ctime before every write, also before a loop device's write to its file. Two changes within one tick
 * of the kernel's clock, a few milliseconds, may have the same ctime.
 */
final class FileCopies {
    private static final int CHUNK = 1 << 20;

    private final Kernel kernel;
    private final FileContents contents;

    FileCopies(Kernel kernel, FileContents contents) {
        this.kernel = kernel;
        this.contents = contents;
    }

    void copy(RootedPath from, RootedPath to, int mode, boolean onlyShared, CallContext context) {
        try (Descriptor source = contents.openRegular(from, Kernel.O_RDONLY)) {
            contents.makeNew(to, mode, target -> {
                if (!shares(source, target, onlyShared, from, to)) {
                    FileFacts before = kernel.facts(source);
                    copyData(source, target, before.bytes(), from, context);
                    requireUnchanged(before, kernel.facts(source), from, to);
                }
            });
        }
    }

    private static void requireUnchanged(FileFacts before, FileFacts after, RootedPath from, RootedPath to) {
        if (after.changed() != before.changed()) {
            throw VolumeException.transientFailure("copy " + from + " to " + to + ": a program changed " + from
                            + " during the copy, so the copy was removed")
                    .withAdvice("repeat it while no program uses the file, or keep both on one xfs or btrfs");
        }
    }

    private boolean shares(Descriptor source, Descriptor target, boolean onlyShared, RootedPath from, RootedPath to) {
        try {
            kernel.control(target, IoctlRequest.FICLONE, source.number());
            return true;
        } catch (SyscallException e) {
            if (!e.is(Errno.EOPNOTSUPP) && !e.is(Errno.EXDEV) && !e.is(Errno.EINVAL) && !e.is(Errno.ENOTTY)) {
                throw e;
            }
            if (onlyShared) {
                throw VolumeException.finalFailure(
                                "the filesystem cannot share the blocks of " + from + " with " + to + ": " + e.text())
                        .withAdvice("keep them on one xfs or btrfs");
            }
            return false;
        }
    }

    private void copyData(Descriptor source, Descriptor target, long bytes, RootedPath from, CallContext context) {
        kernel.truncate(target, bytes);
        byte[] chunk = new byte[CHUNK];
        for (long data = kernel.seekData(source, 0); data >= 0 && data < bytes; ) {
            long end = kernel.seekHole(source, data);
            copyRange(source, target, data, end, chunk, from, context);
            data = kernel.seekData(source, end);
        }
    }

    private void copyRange(
            Descriptor source,
            Descriptor target,
            long begin,
            long end,
            byte[] chunk,
            RootedPath from,
            CallContext context) {
        long at = begin;
        while (at < end) {
            if (context.cancelled()) {
                throw VolumeException.transientFailure("copying " + from + " was cancelled on the way");
            }
            kernel.seekTo(source, at);
            byte[] part = end - at < chunk.length ? new byte[(int) (end - at)] : chunk;
            int read = kernel.read(source, part);
            if (read == 0) {
                return;
            }
            kernel.seekTo(target, at);
            kernel.write(target, read == part.length ? part : Arrays.copyOf(part, read));
            at += read;
            context.progress("copied " + at + " bytes of " + from);
        }
    }
}
