package io.volume4j.spi.mount;

import io.volume4j.spi.CallContext;
import io.volume4j.spi.VolumeException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/**
 * Files below a root directory of the library. No call follows a symbolic link below the root. No removal crosses
 * into another mount. Only {@link #removeTree} and {@link #removeContents} remove directories that are not empty.
 * Thread-safe.
 *
 * @since 0.1.0
 */
public interface HostFiles {
    /** The beginning of the names of files that are being written. No listing returns such a name. */
    String UNFINISHED = ".volume4j-unfinished-";

    /**
     * Creates the root itself and its parents, accessible only by its owner. Succeeds if it exists.
     *
     * @throws VolumeException final, if it exists and other users could create files in it, because another user owns
     *     it or all users can write it. A backend without a concept of users does not refuse
     */
    void createRoot(Path root);

    /**
     * Creates the directory and its parents up to the root. Succeeds if it exists. Sets exactly this mode,
     * independent of the umask.
     */
    void createDirectory(RootedPath path, int mode);

    /**
     * Removes an empty directory. Succeeds if it does not exist. Fails for a mount point and for a directory with
     * content.
     */
    void removeDirectory(RootedPath path);

    /**
     * Creates a sparse file of this size. Succeeds if a file of this size exists. A file of another size is a final
     * failure.
     */
    void createSparseFile(RootedPath path, long bytes, int mode);

    /** Makes a file larger, never smaller. */
    void growFile(RootedPath path, long bytes);

    /**
     * Renames a directory with its content below the same root, atomically and durably. Never replaces an existing
     * file or directory. One exception: on a filesystem that cannot guarantee this (NFS), it may replace an empty
     * directory that another process creates at the same moment.
     *
     * @return false if the directory does not exist; then nothing was done
     * @throws VolumeException final, if the new name exists, if the old name is not a directory, or if this backend
     *     does not support renaming
     */
    default boolean renameDirectory(RootedPath from, RootedPath to) {
        throw VolumeException.finalFailure("this backend cannot rename " + from);
    }

    /** Removes a file that is not a directory. Succeeds if it does not exist. */
    void removeFile(RootedPath path);

    /**
     * Writes the whole content atomically: after a crash the file has the old content or the new. The content is
     * durable when the call returns. The directory must exist; the call creates no parents.
     *
     * @throws VolumeException if the directory does not exist; the advice says so
     */
    void writeAtomically(RootedPath path, byte[] content, int mode);

    /**
     * Writes the whole content without syncing it. If the process ends, the file has the old content or the new.
     * After a power failure it may have the old content, the new, or a part of the new. For data that matters only
     * until the next boot, or that the reader checks.
     */
    default void writeUnsynced(RootedPath path, byte[] content, int mode) {
        writeAtomically(path, content, mode);
    }

    /**
     * Writes a text to a file of the kernel, such as one in sysfs, with one write(2). The file must exist. The call
     * does not create, truncate or sync it.
     *
     * @throws VolumeException uncertain, if the kernel accepted only a part; final, if the file does not exist or if
     *     this backend has no kernel
     */
    default void tellKernel(RootedPath attribute, String text) {
        throw VolumeException.finalFailure("this backend has no kernel, so it cannot write to " + attribute);
    }

    /**
     * Creates a symbolic link with this text as its target, and atomically replaces a link or file of that name. The
     * call does not check the text and does not follow it.
     *
     * @throws VolumeException final, if a directory has this name
     */
    void linkAtomically(RootedPath path, String text);

    /**
     * The target text of a symbolic link; empty if nothing exists there. Anything else than a link is a final
     * failure.
     */
    Optional<String> readLink(RootedPath path);

    /**
     * Changes the group of a file or directory, and then sets its mode, because a change of group clears some mode
     * bits; chown(2). A link or any other type is a final failure, as is a number that is no group ID.
     */
    void changeGroup(RootedPath path, long group, int mode);

    /**
     * Changes the owner of a file or directory, and then sets its mode, because a change of owner clears some mode
     * bits; chown(2). Keeps the group. A link or any other type is a final failure, as is a number that is no user
     * ID.
     *
     * @throws VolumeException final, if this backend has no concept of users
     */
    default void changeUser(RootedPath path, long user, int mode) {
        throw VolumeException.finalFailure("this backend cannot give " + path + " to a user");
    }

    /**
     * The group and mode of the file at the path, or of the root of a mount there. Empty if nothing exists there.
     * Fails for a link.
     *
     * @throws VolumeException final, if this backend has no concept of groups
     */
    default Optional<Owner> owner(RootedPath path) {
        throw VolumeException.finalFailure("this backend cannot tell which user owns " + path);
    }

    /** The type, group and mode of a file. */
    record Owner(FileStatus.Type type, long group, int mode) {}

    /**
     * Changes the group and mode of everything below the path, and of the directory itself last. The group of the
     * directory therefore shows whether an earlier walk completed. The walk does not change files that already match,
     * so a repeated walk soon reaches the place where it was interrupted. It follows no link; links get the group but
     * no mode. It changes nothing on other mounts. If the filesystem refuses to change a file, the walk counts it and
     * continues. A refusal for the directory at the top is an error.
     *
     * <p>Reports progress to the context regularly. If the call is cancelled, it stops with an uncertain failure.
     *
     * @throws VolumeException final, if this backend has no concept of groups
     */
    default OwnershipReport changeOwnership(RootedPath path, OwnershipChange change, CallContext context) {
        throw VolumeException.finalFailure("this backend cannot give " + path + " to a group");
    }

    /**
     * Limits the total bytes of the files that are created in an empty directory and below it. The filesystem refuses
     * more with {@code EDQUOT} or {@code ENOSPC}. A repeated call changes the limit. On Linux this is a project
     * quota, which ext4 and xfs support when mounted with {@code prjquota}. On ext4 it does not apply to processes
     * with {@code CAP_SYS_RESOURCE}.
     *
     * @param bytes positive; the filesystem may round it up to its blocks
     * @return whether the limit is set. If not, nothing was changed. Possible reasons: the filesystem has no such
     *     quotas, the directory already contained files, or a parent directory has a quota of another owner.
     * @throws VolumeException transient, if there is no such directory
     */
    default boolean setQuota(RootedPath directory, long bytes) {
        return false;
    }

    /**
     * Removes the limit that {@link #setQuota} set for a directory, and no other limit. Succeeds if there is no limit
     * or no directory. Call it before removing the directory, because some filesystems keep a limit whose directory
     * no longer exists.
     */
    default void removeQuota(RootedPath directory) {}

    /**
     * Counts the content of the directory and everything below it, with the directory itself. Follows no links, and
     * does not count files on other mounts. Changes nothing, and opens only directories. Files that are created or
     * removed during the call may or may not count.
     *
     * <p>Reports progress to the context regularly. If the call is cancelled, it stops with a transient failure.
     *
     * @throws VolumeException transient, if there is no such directory; final, if this backend cannot count
     */
    default TreeUsage measure(RootedPath path, CallContext context) {
        throw VolumeException.finalFailure("this backend cannot measure " + path);
    }

    /**
     * Copies a file. The copy shares the blocks of the original if the filesystem supports that; ioctl_ficlone(2).
     * Otherwise the call copies the data, and holes stay holes. The copy appears under its name only when it is
     * complete and durable. Succeeds if a file of that name exists. Fails (transient) and leaves no copy if a program
     * changed the original while its data was copied.
     *
     * @param onlyShared whether to fail (final) if the blocks cannot be shared. A copy with shared blocks has the
     *     content of one instant, even if a program writes to the file during the call
     */
    void copyFile(RootedPath from, RootedPath to, int mode, boolean onlyShared, CallContext context);

    /**
     * The content of a small file; empty if the file does not exist. Also empty for a sysfs attribute that the device
     * does not have, or whose device was removed.
     */
    Optional<byte[]> read(RootedPath path, int maxBytes);

    /**
     * The type, size, mode and owner of the file at the path; empty if nothing exists there. Does not access what is
     * mounted at the path.
     */
    Optional<FileStatus> status(RootedPath path);

    /** The names in the directory, sorted; empty if the directory does not exist. */
    List<String> list(RootedPath path);

    /** The names in the root itself, sorted; empty if it does not exist. */
    List<String> listRoot(Path root);

    /**
     * Removes the directory and everything below it, file by file. Succeeds if it does not exist. Removes nothing on
     * another mount: a mount below the path is an error, and files that were removed before the error stay removed.
     * Stops when the call is cancelled.
     *
     * <p>The default resolves every file from the root. A backend that can keep directories open overrides it with a
     * cheaper walk, which also works for paths longer than the kernel accepts.
     */
    default void removeTree(RootedPath path, CallContext context) {
        Deque<RootedPath> open = new ArrayDeque<>();
        open.push(path);
        while (!open.isEmpty()) {
            if (context.cancelled()) {
                throw VolumeException.uncertain("removing " + path + " was cancelled before it finished");
            }
            RootedPath next = open.element();
            FileStatus.Type type = status(next).map(FileStatus::type).orElse(null);
            List<String> names = type == FileStatus.Type.DIRECTORY ? list(next) : List.of();
            if (!names.isEmpty()) {
                names.forEach(name -> open.push(next.resolve(name)));
                continue;
            }
            open.pop();
            if (type == FileStatus.Type.DIRECTORY) {
                removeDirectory(next);
            } else if (type != null) {
                removeFile(next);
            }
        }
    }

    /**
     * Removes everything in the root itself, as {@link #removeTree} does, and keeps the root. Also removes files whose
     * names {@link #listRoot} does not return, or cannot return as they are: a name on a disk may be no text in the
     * encoding of this process. Succeeds if the root does not exist.
     *
     * <p>The default removes only what {@link #listRoot} returns.
     */
    default void removeContents(Path root, CallContext context) {
        for (String name : listRoot(root)) {
            removeTree(new RootedPath(root, Path.of(name)), context);
        }
    }

    /**
     * Resolves all links of a path outside the library's roots; empty if nothing exists there. A person configured
     * the path, so the links on it are trusted. Later operations use a {@link RootedPath} to the answer, and detect a
     * link that was created since.
     */
    default Optional<Path> resolve(Path path) {
        Path root = path.getRoot();
        if (root == null) {
            throw new IllegalArgumentException("not an absolute path: " + path);
        }
        Path whole = path.normalize();
        return whole.equals(root)
                ? Optional.of(root)
                : status(new RootedPath(root, root.relativize(whole))).map(there -> whole);
    }

    /**
     * Finds a directory or file of the machine, following links, and holds it. For configured paths that must lead to
     * the same file as long as the process runs. The default recognises everything by its path.
     *
     * @param path absolute
     * @return empty if nothing is there
     */
    default Optional<HeldPath> hold(Path path) {
        return resolve(path).map(found -> new HeldPath() {
            @Override
            public Path path() {
                return found;
            }

            @Override
            public boolean inPlace() {
                return resolve(found).equals(Optional.of(found));
            }

            @Override
            public Optional<String> exposure() {
                return Optional.empty();
            }
        });
    }

    /**
     * The type, size in bytes and mode of a file, and the user ID of its owner.
     *
     * @param user 0 (root) if the backend has no concept of users
     */
    record FileStatus(Type type, long bytes, int mode, long user) {
        /** A file that belongs to root. */
        public FileStatus(Type type, long bytes, int mode) {
            this(type, bytes, mode, 0);
        }

        /** Type of file; inode(7). */
        public enum Type {
            DIRECTORY,
            FILE,
            LINK,
            BLOCK_DEVICE,
            CHARACTER_DEVICE,
            SOCKET,
            OTHER
        }
    }
}
