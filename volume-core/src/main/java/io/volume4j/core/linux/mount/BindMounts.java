package io.volume4j.core.linux.mount;

import io.volume4j.core.linux.path.InnerPath;
import io.volume4j.core.linux.path.SafePaths;
import io.volume4j.core.linux.sys.Descriptor;
import io.volume4j.core.linux.sys.Errno;
import io.volume4j.core.linux.sys.Failures;
import io.volume4j.core.linux.sys.Kernel;
import io.volume4j.core.linux.sys.MountCalls;
import io.volume4j.core.linux.sys.SyscallException;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.mount.BindOptions;
import io.volume4j.spi.mount.IdMapping;
import io.volume4j.spi.mount.MountEntry;
import io.volume4j.spi.mount.RootedPath;
import java.nio.file.Path;
import java.util.function.Consumer;
import java.util.function.Function;

/** Makes files visible at a second path. Thread-safe. */
public final class BindMounts {
    private final Kernel kernel;
    private final MountCalls calls;
    private final SafePaths paths;
    private final SharedMountTable table;
    private final Function<IdMapping, Descriptor> userNamespaces;
    private final LegacyBindMounts classic;

    /** @param userNamespaces creates a user namespace with the mapping, which exists while its descriptor is open */
    public BindMounts(
            Kernel kernel,
            MountCalls calls,
            SafePaths paths,
            SharedMountTable table,
            Function<IdMapping, Descriptor> userNamespaces) {
        this.userNamespaces = userNamespaces;
        this.kernel = kernel;
        this.calls = calls;
        this.paths = paths;
        this.table = table;
        this.classic = new LegacyBindMounts(kernel, calls, paths, table);
    }

    public void bind(Path source, RootedPath target, BindOptions options) {
        bind(new ByPath(source), target, options);
    }

    public void bind(RootedPath source, RootedPath target, BindOptions options) {
        bind(new ByRoot(source), target, options);
    }

    /**
     * Binds a path inside a volume.
     *
     * @param makeTarget creates the target; its argument is whether it must be a directory
     */
    public void bindInside(
            RootedPath volume, Path inside, RootedPath target, BindOptions options, Consumer<Boolean> makeTarget) {
        try (Descriptor top = paths.open(volume);
                Descriptor found = new InnerPath(kernel)
                        .open(top, inside, kernel.facts(top).mode())) {
            makeTarget.accept(kernel.facts(found).isDirectory());
            bind(new ByDescriptor(found, volume.absolute().resolve(inside)), target, options);
        } catch (SyscallException e) {
            throw Failures.of(e);
        }
    }

    /** How to resolve the source. */
    private interface Source {
        Descriptor open();

        /** A detached mount of the source. */
        Descriptor tree(boolean recursive);

        Path path();
    }

    private final class ByPath implements Source {
        private final Path path;

        ByPath(Path path) {
            this.path = path;
        }

        @Override
        public Descriptor open() {
            return kernel.open(path, Kernel.O_PATH);
        }

        @Override
        public Descriptor tree(boolean recursive) {
            return calls.cloneTree(path, recursive);
        }

        @Override
        public Path path() {
            return path;
        }
    }

    private final class ByRoot implements Source {
        private final RootedPath path;

        ByRoot(RootedPath path) {
            this.path = path;
        }

        @Override
        public Descriptor open() {
            return paths.open(path);
        }

        @Override
        public Descriptor tree(boolean recursive) {
            try (Descriptor found = open()) {
                return calls.cloneTree(found, recursive, path);
            }
        }

        @Override
        public Path path() {
            return path.absolute();
        }
    }

    private final class ByDescriptor implements Source {
        private final Descriptor found;
        private final Path path;

        ByDescriptor(Descriptor found, Path path) {
            this.found = found;
            this.path = path;
        }

        @Override
        public Descriptor open() {
            // The magic link opens exactly the file that was found.
            return kernel.open(found.magicLink(), Kernel.O_PATH);
        }

        @Override
        public Descriptor tree(boolean recursive) {
            return calls.cloneTree(found, recursive, path);
        }

        @Override
        public Path path() {
            return path;
        }
    }

    private void bind(Source source, RootedPath target, BindOptions options) {
        try (MountPlace place = MountPlace.open(kernel, paths, target)) {
            if (place.isFree() && kernel.features().mountApi()) {
                attach(source, place, options);
                return;
            }
            if (options.ids() != null) {
                throw cannotMap(source, place);
            }
            try (Descriptor from = source.open()) {
                if (place.isFree()) {
                    refuseMixedKinds(from, source.path(), place);
                    classic.attach(from, source.path(), target, place, options);
                } else {
                    acceptIfSame(from, source.path(), target, place, options);
                }
            }
        } catch (SyscallException e) {
            throw Failures.of(e);
        }
    }

    /**
     * Creates a detached mount, configures it, then attaches it. So a read-only mount is read-only before it is
     * visible, and a failure leaves no mount. It also is no peer of its source at any time, unless it must be one: an
     * unmount below a peer also unmounts what the machine has mounted below the source.
     */
    private void attach(Source source, MountPlace place, BindOptions options) {
        long propagation = flag(options.propagation());
        boolean recursive = options.recursive();
        try (Descriptor mount = source.tree(recursive)) {
            calls.setAttributes(mount, options.readOnly() ? MountCalls.ATTR_RDONLY : 0, propagation, recursive, place);
            if (options.ids() != null) {
                mapIds(mount, source, place, options.ids());
            }
            try {
                calls.attach(mount, place.descriptor(), place);
            } catch (SyscallException e) {
                refuseMixedKinds(mount, source.path(), place);
                throw e.of("move_mount " + source.path() + " to " + place);
            }
            // A mount that is attached below a shared mount becomes shared, whatever it was before.
            try {
                calls.setAttributes(mount, 0, propagation, recursive, place);
            } catch (SyscallException e) {
                throw calls.takenBack(e, mount, place);
            }
        }
    }

    private void mapIds(Descriptor mount, Source source, MountPlace place, IdMapping ids) {
        try (Descriptor namespace = userNamespaces.apply(ids)) {
            calls.mapIds(mount, namespace, place);
        } catch (SyscallException e) {
            if (e.is(Errno.EINVAL) || e.is(Errno.EPERM)) {
                throw refusedByFilesystem(e, source, place, ids);
            }
            throw e;
        }
    }

    /**
     * EINVAL of a filesystem without support; EPERM of a mount with mapped IDs, or of one from another user namespace.
     */
    private VolumeException refusedByFilesystem(SyscallException e, Source source, MountPlace place, IdMapping ids) {
        String tried = "bind " + source.path() + " on " + place + " with mapped IDs (" + ids + ")";
        try (Descriptor from = source.open()) {
            String found = table.read()
                    .withId(paths.mountId(from))
                    .map(mount -> mount.fsType() + ", mounted on " + mount.mountPoint())
                    .orElse("of an unknown type");
            String reason = e.is(Errno.EINVAL)
                    ? " does not support ID-mapped mounts on this kernel (EINVAL)"
                    : " has mapped IDs already or belongs to another user namespace (EPERM)";
            return VolumeException.finalFailure(tried + ": its filesystem, " + found + "," + reason)
                    .withAdvice(
                            "keep the volume on a filesystem that supports them, such as ext4, xfs, btrfs or tmpfs (see"
                                    + " mount_setattr(2)), or run the pod with hostUsers: true")
                    .withCause(e);
        }
    }

    private VolumeException cannotMap(Source source, MountPlace place) {
        String tried = "bind " + source.path() + " on " + place + " with mapped IDs: ";
        return place.isFree()
                ? VolumeException.finalFailure(tried + "that needs mount_setattr, which this kernel lacks")
                        .withAdvice("use Linux 5.12 or later, or run the pod with hostUsers: true")
                : VolumeException.finalFailure(
                                tried + "something is mounted there already, and which IDs it maps cannot be read")
                        .withAdvice("unmount it first");
    }

    private void acceptIfSame(Descriptor from, Path source, RootedPath target, MountPlace place, BindOptions options) {
        MountSnapshot mounts = table.read();
        MountEntry there = ExistingMount.at(mounts, place);
        MountEntry sourceMount = mounts.withId(paths.mountId(from))
                .orElseThrow(() -> VolumeException.transientFailure("the mount that holds " + source + " is gone"));
        String tried = "bind " + source + " on " + place;
        String wanted = ExistingMount.rootInFilesystem(sourceMount, paths.canonical(from));
        if (!there.majorMinor().equals(sourceMount.majorMinor())
                || !there.rootInFilesystem().equals(wanted)) {
            throw ExistingMount.foreign(tried, there);
        }
        boolean readOnly = there.options().contains("ro");
        // A bind of a read-only mount is read-only without a request for it.
        boolean rightMode = options.readOnly()
                ? there.readOnly()
                : !readOnly || sourceMount.options().contains("ro");
        if (!rightMode) {
            throw VolumeException.finalFailure(
                            tried + ": it is bound there already, but " + (readOnly ? "read-only" : "read-write"))
                    .withAdvice("unmount it first");
        }
        // An earlier process may have ended between the mount and this call.
        try (Descriptor mounted = ExistingMount.open(paths, target, there.id())) {
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
