package io.volume4j.core.linux.path;

import io.volume4j.core.linux.sys.Descriptor;
import io.volume4j.core.linux.sys.FileFacts;
import io.volume4j.core.linux.sys.Kernel;
import io.volume4j.core.linux.sys.RawName;
import io.volume4j.core.linux.sys.SyscallException;
import io.volume4j.spi.CallContext;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.mount.HostFiles.FileStatus;
import io.volume4j.spi.mount.OwnershipChange;
import io.volume4j.spi.mount.OwnershipReport;
import io.volume4j.spi.mount.RootedPath;

/**
 * Changes the group of a tree of files. It opens each file from the directory that contains its name, and changes it
 * by that descriptor: so the checked file is the changed file. It changes a directory after its contents, and the
 * topmost directory last. Thread-safe.
 */
final class OwnershipWalk {
    private static final long PROGRESS_EVERY = 1_000;

    private final Kernel kernel;
    private final SafePaths paths;

    OwnershipWalk(Kernel kernel, SafePaths paths) {
        this.kernel = kernel;
        this.paths = paths;
    }

    OwnershipReport change(RootedPath path, OwnershipChange change, CallContext context) {
        Walk walk = new Walk(path, change, context);
        new TreeWalk(kernel, paths, walk).run(path);
        return new OwnershipReport(walk.examined, walk.changed, walk.refused, walk.firstRefusal);
    }

    private final class Walk implements TreeWalk.Visitor {
        private final RootedPath path;
        private final OwnershipChange change;
        private final CallContext context;
        private long examined;
        private long changed;
        private long refused;
        private String firstRefusal = "";

        Walk(RootedPath path, OwnershipChange change, CallContext context) {
            this.path = path;
            this.change = change;
            this.context = context;
        }

        @Override
        public void goOn() {
            if (context.cancelled()) {
                throw VolumeException.uncertain("giving the files of " + path + " to group " + change.group()
                        + " was stopped after " + examined + " of them; the next try goes on from there");
            }
        }

        @Override
        public void file(Descriptor directory, RawName name, FileFacts seen) {
            count();
            if (fits(seen)) {
                return;
            }
            try (Descriptor file = paths.openEvenLink(directory, name)) {
                give(file, kernel.facts(file));
            }
        }

        private boolean fits(FileFacts file) {
            return file.type() == FileStatus.Type.LINK
                    ? file.group() == change.group()
                    : change.fitsFile(file.group(), file.mode());
        }

        private void give(Descriptor file, FileFacts facts) {
            // Another process may have created a directory there since; the next walk changes it.
            if (facts.isDirectory() || fits(facts)) {
                return;
            }
            if (facts.group() != change.group()) {
                kernel.changeGroupOfPlace(file, change.group());
            }
            if (facts.type() != FileStatus.Type.LINK) {
                // Always, because a change of the group clears the set-user and set-group bits.
                kernel.changeModeOfPlace(file, facts.mode() | change.addToFiles());
            }
            changed++;
        }

        @Override
        public void directory(Descriptor directory, int depth) {
            count();
            try {
                FileFacts facts = kernel.facts(directory);
                if (!change.fitsDirectory(facts.group(), facts.mode())) {
                    if (facts.group() != change.group()) {
                        kernel.changeGroup(directory, change.group());
                    }
                    kernel.changeMode(directory, facts.mode() | change.addToDirectories());
                    changed++;
                }
            } catch (SyscallException e) {
                if (depth == 0) {
                    throw e.of(e.call() + " of " + path);
                }
                bear("a directory " + depth + " levels down", e);
            }
        }

        @Override
        public VolumeException moved() {
            return VolumeException.transientFailure(
                    "a directory in " + path + " was moved while its files were given to group " + change.group());
        }

        private void count() {
            examined++;
            if (examined % PROGRESS_EVERY == 0) {
                context.progress(examined + " files of " + path + " looked at, " + changed + " given to group "
                        + change.group());
            }
        }

        /**
         * Ignores files that were removed, were replaced or are on other mounts. Counts refused files. Other errors
         * end the walk.
         */
        @Override
        public void bear(Object name, SyscallException e) {
            switch (e.errno()) {
                case ENOENT, EXDEV, ELOOP, ENOTDIR -> {}
                case EPERM, EACCES, EROFS, EOPNOTSUPP -> {
                    refused++;
                    if (firstRefusal.isEmpty()) {
                        firstRefusal = name + ": " + e.text();
                    }
                }
                default -> throw e.of(e.call() + " while giving " + path + " to group " + change.group());
            }
        }
    }
}
