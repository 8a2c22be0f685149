package io.volume4j.spi.mount;

import io.volume4j.spi.VolumeException;
import java.nio.file.Path;
import java.time.Duration;

/**
 * Everything that the library does to a machine. Thread-safe.
 *
 * @since 0.1.0
 */
public interface MountBackend {
    /** What is mounted now. Never hangs, whatever the storage below the mounts does. */
    MountTable table();

    /**
     * Makes the source's files appear at the target as well. Bound there already is success, unless {@linkplain BindOptions#ids IDs}
     * are to be mapped: which are mapped there cannot be read.
     *
     * @throws VolumeException final, if IDs are to be mapped and the source's filesystem cannot; the message names it
     * @param source an absolute path; what it is when the call resolves it counts
     */
    void bind(Path source, RootedPath target, BindOptions options);

    /**
     * The same for a source that must not be led elsewhere by a link. Backends that can, resolve it as they do the target.
     */
    default void bind(RootedPath source, RootedPath target, BindOptions options) {
        bind(source.absolute(), target, options);
    }

    /**
     * Makes a part of a volume appear at the target as well. Links inside the volume are followed as long as they stay
     * inside; every name is resolved by a descriptor, so a process that can write to the volume cannot lead the call elsewhere.
     * Directories that are missing are made, with the mode of the volume's topmost one. The target is made, a directory for
     * a directory and an empty file for anything else; on failure it stays. Bound there already is success.
     *
     * @param inside where in the volume: relative, not empty
     * @throws VolumeException final, if the path leads out of the volume or through a file, or if this backend cannot do it
     */
    default void bindInside(RootedPath volume, Path inside, RootedPath target, BindOptions options) {
        throw VolumeException.finalFailure("this backend cannot bind " + inside + " in " + volume);
    }

    /** Mounts a filesystem. The same one mounted there already is success. */
    void mount(FilesystemMount filesystem, RootedPath target);

    /**
     * Changes options of a filesystem while it is mounted, wherever it is mounted, and leaves its files alone; fspick(2).
     *
     * @param filesystem what is mounted at the target, with the options to change; whether it is read-only stays as it is
     * @throws VolumeException final, if something else is mounted there, or the kernel refuses the options; transient, if nothing is
     *     mounted there
     */
    default void reconfigure(FilesystemMount filesystem, RootedPath target) {
        throw VolumeException.finalFailure("this backend cannot change the options of what is mounted at " + target);
    }

    /** Takes the topmost mount at the target away. Not mounted is success. */
    void unmount(RootedPath target, UnmountMode mode);

    BlockDevices devices();

    LoopDevices loops();

    HostFiles files();

    /** Programs of the machine, for plugins that drive one. */
    Programs programs();

    /** Size and use of the filesystem at the path. May hang with it. */
    FilesystemUsage usage(Path path);

    /**
     * Ends the tools that an earlier process started for its operations and that still run, and returns when none does.
     * The default is for backends that start none.
     *
     * @param operationPrefix what their operation ids begin with
     * @throws io.volume4j.spi.VolumeException transient, if one is left when patience ends: then no device may be touched
     */
    default void endLeftovers(String operationPrefix, Duration patience) {}

    /**
     * Whether {@link #bind} can make what is mounted below the source read-only as well; mount_setattr(2). Never hangs.
     */
    default boolean bindsReadOnlyRecursively() {
        return true;
    }

    /**
     * Whether the machine has SELinux switched on. Where it has not, the SELinux contexts of pods mean nothing: volumes are
     * mounted without one, and pods with different contexts share them. By default it has, which keeps pods apart. Never hangs.
     */
    default boolean seLinux() {
        return true;
    }

    /** What this process may and can do. Never hangs. */
    Abilities abilities();
}
