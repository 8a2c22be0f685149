package io.volume4j.core.linux.path;

import io.volume4j.core.linux.sys.Descriptor;
import io.volume4j.core.linux.sys.FileFacts;
import io.volume4j.core.linux.sys.Kernel;
import io.volume4j.core.linux.sys.RawName;
import io.volume4j.core.linux.sys.SyscallException;
import io.volume4j.spi.CallContext;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.mount.RootedPath;
import io.volume4j.spi.mount.TreeUsage;
import java.util.Map;
import java.util.TreeMap;

/**
 * Counts the blocks and inodes of a tree of files. Changes nothing, and reads no file. Thread-safe.
 *
 * <p>A file with several names counts once: each name counts for its share. So the walk need not remember names, whose
 * number has no limit. Names outside the tree have their share outside it.
 */
final class TreeMeasure {
    private static final long PROGRESS_EVERY = 10_000;

    private final Kernel kernel;
    private final SafePaths paths;

    TreeMeasure(Kernel kernel, SafePaths paths) {
        this.kernel = kernel;
        this.paths = paths;
    }

    TreeUsage measure(RootedPath path, CallContext context) {
        Count count = new Count(path, context);
        new TreeWalk(kernel, paths, count).run(path);
        return count.usage();
    }

    private final class Count implements TreeWalk.Visitor {
        private final RootedPath path;
        private final CallContext context;
        private final Map<Integer, long[]> shared = new TreeMap<>();
        private long bytes;
        private long inodes;
        private long seen;
        private long mountId = -1;

        Count(RootedPath path, CallContext context) {
            this.path = path;
            this.context = context;
        }

        TreeUsage usage() {
            long sharedBytes = 0;
            long sharedInodes = 0;
            for (Map.Entry<Integer, long[]> each : shared.entrySet()) {
                int names = each.getKey();
                sharedBytes += (each.getValue()[0] + names - 1) / names;
                sharedInodes += (each.getValue()[1] + names - 1) / names;
            }
            return new TreeUsage(bytes + sharedBytes, inodes + sharedInodes);
        }

        @Override
        public void goOn() {
            if (context.cancelled()) {
                throw VolumeException.transientFailure(
                        "measuring " + path + " was stopped after " + seen + " of its files");
            }
        }

        @Override
        public void file(Descriptor directory, RawName name, FileFacts file) {
            if (isMounted(directory, file)) {
                return;
            }
            count();
            if (file.links() <= 1) {
                bytes += file.allocated();
                inodes++;
                return;
            }
            long[] sums = shared.computeIfAbsent(file.links(), links -> new long[2]);
            sums[0] += file.allocated();
            sums[1]++;
        }

        /** Whether another file is mounted on the file. That file is not in the tree. */
        private boolean isMounted(Descriptor directory, FileFacts file) {
            if (mountId < 0) {
                mountId = kernel.facts(directory).mountId();
            }
            return mountId >= 0 && file.mountId() >= 0 && file.mountId() != mountId;
        }

        @Override
        public void directory(Descriptor directory, int depth) {
            count();
            bytes += kernel.facts(directory).allocated();
            inodes++;
        }

        private void count() {
            seen++;
            if (seen % PROGRESS_EVERY == 0) {
                context.progress(seen + " files of " + path + " measured");
            }
        }

        @Override
        public VolumeException moved() {
            return VolumeException.transientFailure("a directory in " + path + " was moved while it was measured");
        }

        /** Ignores files that were removed meanwhile or are on another mount. */
        @Override
        public void bear(Object name, SyscallException e) {
            switch (e.errno()) {
                case ENOENT, EXDEV, ELOOP, ENOTDIR -> {}
                default -> throw e.of(e.call() + " " + name + " while measuring " + path);
            }
        }
    }
}
