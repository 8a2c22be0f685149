package io.volume4j.core.linux;

import io.volume4j.core.linux.SafePaths.Reach;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.mount.BindOptions;
import io.volume4j.spi.mount.MountEntry;
import io.volume4j.spi.mount.RootedPath;
import java.nio.file.Path;

/** Makes files appear at a second place. Thread-safe. */
final class BindMounts {
    private final Kernel kernel;
    private final MountCalls calls;
    private final SafePaths paths;
    private final SharedMountTable table;
    private final ClassicBind classic;

    BindMounts(Kernel kernel, MountCalls calls, SafePaths paths, SharedMountTable table) {
        this.kernel = kernel;
        this.calls = calls;
        this.paths = paths;
        this.table = table;
        this.classic = new ClassicBind(kernel, calls, paths, table);
    }

    void bind(Path source, RootedPath target, BindOptions options) {
        try (Descriptor from = kernel.open(source, Kernel.O_PATH)) {
            bind(from, source, target, options);
        } catch (SyscallException e) {
            throw Failures.of(e);
        }
    }

    void bind(RootedPath source, RootedPath target, BindOptions options) {
        try (Descriptor root = paths.root(source.root());
                Descriptor from = paths.open(root, source.relative(), Kernel.O_PATH, Reach.ACROSS_MOUNTS)) {
            bind(from, source.absolute(), target, options);
        } catch (SyscallException e) {
            throw Failures.of(e);
        }
    }

    private void bind(Descriptor from, Path source, RootedPath target, BindOptions options) {
        try (MountPlace place = MountPlace.open(kernel, paths, target)) {
            if (!place.isFree()) {
                acceptIfSame(from, source, target, place, options);
            } else if (kernel.features().mountApi()) {
                attach(from, source, place, options);
            } else {
                refuseMixedKinds(from, source, place);
                classic.attach(from, source, target, place, options);
            }
        }
    }

    /**
     * Makes the mount where nobody sees it, finishes it there, then moves it to its place: it is read-only before it
     * can be seen, and a failure on the way leaves nothing behind.
     */
    private void attach(Descriptor from, Path source, MountPlace place, BindOptions options) {
        long propagation = flag(options.propagation());
        boolean recursive = options.recursive();
        try (Descriptor mount = calls.cloneTree(from, recursive, source)) {
            if (options.readOnly()) {
                calls.setAttributes(mount, MountCalls.ATTR_RDONLY, propagation, recursive, place);
            }
            try {
                calls.attach(mount, place.descriptor(), source + " to " + place);
            } catch (SyscallException e) {
                refuseMixedKinds(from, source, place);
                throw e;
            }
            // A mount that is attached below a shared one becomes shared, whatever it was before.
            try {
                calls.setAttributes(mount, 0, propagation, recursive, place);
            } catch (SyscallException e) {
                calls.unmount(mount, MountCalls.UMOUNT_DETACH, place);
                throw e;
            }
        }
    }

    private void acceptIfSame(Descriptor from, Path source, RootedPath target, MountPlace place, BindOptions options) {
        MountSnapshot mounts = table.read();
        MountEntry there = MountedThere.at(mounts, place);
        MountEntry sourceMount = mounts.withId(paths.mountId(from))
                .orElseThrow(() -> VolumeException.transientFailure("the mount that holds " + source + " is gone"));
        String tried = "bind " + source + " on " + place;
        String wanted = MountedThere.rootInFilesystem(sourceMount, paths.canonical(from));
        if (!there.majorMinor().equals(sourceMount.majorMinor())
                || !there.rootInFilesystem().equals(wanted)) {
            throw MountedThere.foreign(tried, there);
        }
        boolean readOnly = there.options().contains("ro");
        // A bind of a read-only mount is read-only without having been asked to be.
        boolean rightMode = options.readOnly()
                ? there.readOnly()
                : !readOnly || sourceMount.options().contains("ro");
        if (!rightMode) {
            throw VolumeException.finalFailure(
                            tried + ": it is bound there already, but " + (readOnly ? "read-only" : "read-write"))
                    .withAdvice("unmount it first");
        }
        // The process may have died between the mount and this.
        try (Descriptor mounted = MountedThere.open(paths, target, there.id())) {
            if (kernel.features().mountApi()) {
                calls.setAttributes(mounted, 0, flag(options.propagation()), options.recursive(), place);
            } else {
                classic.setPropagation(mounted, options, place);
            }
        }
    }

    private void refuseMixedKinds(Descriptor from, Path source, MountPlace place) {
        boolean directory = kernel.facts(from).isDirectory();
        if (directory != kernel.facts(place.descriptor()).isDirectory()) {
            throw VolumeException.finalFailure("bind " + source + " on " + place + ": "
                    + (directory
                            ? "the source is a directory and the target is not"
                            : "the target is a directory and the source is not"));
        }
    }

    static long flag(BindOptions.Propagation propagation) {
        switch (propagation) {
            case PRIVATE:
                return MountCalls.MS_PRIVATE;
            case SLAVE:
                return MountCalls.MS_SLAVE;
            case SHARED:
                return MountCalls.MS_SHARED;
        }
        throw new AssertionError(propagation);
    }
}
