package io.volume4j.spi.mount;

import io.volume4j.spi.VolumeException;
import java.nio.file.Path;
import java.time.Duration;

/**
 * All operations of the library on a machine: mounts, devices, files and programs. Thread-safe.
 *
 * @since 0.1.0
 */
public interface MountBackend {
    /** The current mounts. Never hangs, even if the storage of a mount hangs. */
    MountTable table();

    /**
     * Bind-mounts the source at the target. Succeeds if it is already bound there. Exception: with a
     * {@linkplain BindOptions#ids mapping of IDs} an existing bind is a failure, because the kernel does not tell
     * which IDs it maps.
     *
     * @throws VolumeException final, if the source's filesystem does not support the requested mapping of IDs; the
     *     message names the filesystem
     * @param source an absolute path; the call resolves its links
     */
    void bind(Path source, RootedPath target, BindOptions options);

    /**
     * The same for a source whose path must not follow links. A backend resolves it in the same way as the target, if
     * it can.
     */
    default void bind(RootedPath source, RootedPath target, BindOptions options) {
        bind(source.absolute(), target, options);
    }

    /**
     * Bind-mounts a path inside a volume (a subPath) at the target. Follows links that stay inside the volume.
     * Resolves every name by a descriptor, so that a process with write access to the volume cannot redirect the
     * call. Creates missing directories with the mode of the volume's top directory. Creates the target: a directory
     * for a directory, an empty file for anything else. On failure the target stays. Succeeds if it is already bound
     * there.
     *
     * @param inside the path inside the volume: relative, not empty
     * @throws VolumeException final, if the path leads out of the volume or through a file, or if this backend does not
     *     support it
     */
    default void bindInside(RootedPath volume, Path inside, RootedPath target, BindOptions options) {
        throw VolumeException.finalFailure("this backend cannot bind " + inside + " in " + volume);
    }

    /** Mounts a filesystem. Succeeds if the same filesystem is already mounted there. */
    void mount(FilesystemMount filesystem, RootedPath target);

    /**
     * Changes options of a mounted filesystem, at all its mounts, and changes no files; fspick(2).
     *
     * @param filesystem what is mounted at the target, with the options to change; whether it is read-only stays as it
     *     is
     * @throws VolumeException final, if something else is mounted there, or the kernel refuses the options; transient,
     *     if nothing is mounted there
     */
    default void reconfigure(FilesystemMount filesystem, RootedPath target) {
        throw VolumeException.finalFailure("this backend cannot change the options of what is mounted at " + target);
    }

    /** Unmounts the topmost mount at the target. Succeeds if nothing is mounted. */
    void unmount(RootedPath target, UnmountMode mode);

    BlockDevices devices();

    LoopDevices loops();

    HostFiles files();

    /** Runs programs of the machine, for plugins that need one. */
    Programs programs();

    /** Size and usage of the filesystem at the path. May hang if the filesystem hangs. */
    FilesystemUsage usage(Path path);

    /**
     * Ends the programs that an earlier process started for its operations, and returns when none of them runs any
     * more. The default does nothing, for backends that start no programs.
     *
     * @param operationPrefix the prefix of their operation ids
     * @throws io.volume4j.spi.VolumeException transient, if a program still runs when the patience is over: then the
     *     caller must not use any device that such a program may change
     */
    default void endLeftovers(String operationPrefix, Duration patience) {}

    /** Whether {@link #bind} can also make the mounts below the source read-only; mount_setattr(2). Never hangs. */
    default boolean bindsReadOnlyRecursively() {
        return true;
    }

    /**
     * Whether SELinux is enabled on the machine. If not, the library ignores the SELinux contexts of pods: it mounts
     * volumes without a context, and pods with different contexts can share a volume. True by default, so that such
     * pods do not share a volume. Never hangs.
     */
    default boolean seLinux() {
        return true;
    }

    /** The rights and abilities of this process. Never hangs. */
    Abilities abilities();
}
