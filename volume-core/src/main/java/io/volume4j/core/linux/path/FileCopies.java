package io.volume4j.core.linux.path;

import io.volume4j.core.linux.sys.Descriptor;
import io.volume4j.core.linux.sys.Errno;
import io.volume4j.core.linux.sys.IoctlRequest;
import io.volume4j.core.linux.sys.Kernel;
import io.volume4j.core.linux.sys.SyscallException;
import io.volume4j.spi.CallContext;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.mount.RootedPath;
import java.util.Arrays;

/** Copies files: in constant time if the filesystem can share blocks, otherwise data by data, without the holes. */
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
                    copyData(source, target, from, context);
                }
            });
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

    private void copyData(Descriptor source, Descriptor target, RootedPath from, CallContext context) {
        long bytes = kernel.facts(source).bytes();
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
