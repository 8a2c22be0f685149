package io.volume4j.spi.mount;

import io.volume4j.spi.CallContext;
import io.volume4j.spi.VolumeException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/**
 * Files below a root of the library. No call follows a link below the root, crosses into another mount when removing, or
 * removes what is not empty. Thread-safe.
 *
 * @since 0.1.0
 */
public interface HostFiles {
    /**
     * Makes the root itself, with its parents, for its owner only; there already is success.
     *
     * @throws VolumeException final, if it is there and other users could put something into it: they own it, or all users can write
     *     it. A backend that knows no users does not refuse
     */
    void createRoot(Path root);

    /** Makes the directory and those above it up to the root; there already is success. Exact mode, whatever the umask. */
    void createDirectory(RootedPath path, int mode);

    /** Removes an empty directory; absent is success. A mount point or a directory with content is an error. */
    void removeDirectory(RootedPath path);

    /**
     * Makes a file of the size without allocating it; a file of that size there already is success, of another size a
     * final failure.
     */
    void createSparseFile(RootedPath path, long bytes, int mode);

    /** Makes a file larger; never smaller. */
    void growFile(RootedPath path, long bytes);

    /**
     * Gives a directory another name below the same root, in one step and durably; what is in it goes along. Never replaces
     * what has that name. Only where a filesystem has no way to promise that (NFS) could an empty directory be replaced, if
     * another process makes it at that very moment.
     *
     * @return false if there is no such directory, so that nothing was done
     * @throws VolumeException final, if the new name is taken, what is there is no directory, or this backend renames nothing
     */
    default boolean renameDirectory(RootedPath from, RootedPath to) {
        throw VolumeException.finalFailure("this backend cannot rename " + from);
    }

    /** Removes a file that is not a directory; absent is success. */
    void removeFile(RootedPath path);

    /**
     * Writes the whole content so that a crash leaves the old or the new, durable when the call returns. The directory must be
     * there: missing parents are not made.
     *
     * @throws VolumeException with that advice, if the directory is not there
     */
    void writeAtomically(RootedPath path, byte[] content, int mode);

    /**
     * Writes the whole content so that the end of the process leaves the old or the new. A loss of power may leave either,
     * or a part of the new: for what matters only until the next boot, or is checked when it is read.
     */
    default void writeUnsynced(RootedPath path, byte[] content, int mode) {
        writeAtomically(path, content, mode);
    }

    /**
     * Tells the kernel something through a file of its own, as those of sysfs are: one write(2) of the whole text, to a file
     * that is there. Nothing is made, cut off or synced.
     *
     * @throws VolumeException uncertain, if the kernel refused it half-way; final, if there is no such file or this backend
     *     has no kernel to tell
     */
    default void tellKernel(RootedPath attribute, String text) {
        throw VolumeException.finalFailure("this backend has no kernel that could be told by " + attribute);
    }

    /**
     * Makes a symbolic link that says the text, in place of a link or file of that name: a reader sees the old or the
     * new. The text is not looked at and nothing follows it here.
     *
     * @throws VolumeException final, if a directory has that name
     */
    void linkAtomically(RootedPath path, String text);

    /** What a symbolic link says; empty if nothing is there. Something else than a link is a final failure. */
    Optional<String> readLink(RootedPath path);

    /**
     * Gives a file or a directory to the group and then sets its mode, which a change of group has taken bits from;
     * chown(2). A link or anything else is a final failure.
     */
    void changeGroup(RootedPath path, long group, int mode);

    /**
     * The group and the mode of what is found at the path, a mount's root included; empty if nothing is there. A link is an
     * error.
     *
     * @throws VolumeException final, if this backend knows no groups
     */
    default Optional<Owner> owner(RootedPath path) {
        throw VolumeException.finalFailure("this backend cannot tell which user owns " + path);
    }

    /** Whose a file is, as far as groups go. */
    record Owner(FileStatus.Type type, long group, int mode) {}

    /**
     * Gives everything below the path to the group, and the directory itself last, so that it tells whether a walk came to
     * its end. What fits already is looked at and left alone, so that a walk which was interrupted soon is where it was. No
     * link is followed; links get the group and no mode. Nothing on another mount than the path's own is touched. A file
     * that the filesystem refuses to change is counted and left; a directory's own refusal at the top is an error.
     *
     * <p>Tells the context every so often how far it is, and stops when the call is cancelled, as uncertain.
     *
     * @throws VolumeException final, if this backend knows no groups
     */
    default OwnershipReport changeOwnership(RootedPath path, OwnershipChange change, CallContext context) {
        throw VolumeException.finalFailure("this backend cannot give " + path + " to a group");
    }

    /**
     * Limits how many bytes the files that are made in an empty directory, and below it, may take together. The filesystem refuses
     * what is more with {@code EDQUOT} or {@code ENOSPC}. Called again, it changes the limit. On Linux this is a project quota, which
     * ext4 and xfs have when they are mounted with {@code prjquota}; ext4 does not hold processes with {@code CAP_SYS_RESOURCE} to it.
     *
     * @param bytes positive; the filesystem may round it up to its blocks
     * @return whether the limit is set. If not, nothing was changed: the filesystem has no such quotas, the directory held files before,
     *     or it lies in a directory that has a quota of another owner.
     * @throws VolumeException transient, if there is no such directory
     */
    default boolean setQuota(RootedPath directory, long bytes) {
        return false;
    }

    /**
     * Takes away the limit that {@link #setQuota} gave a directory, and no other. Without a limit or a directory it succeeds. To be called
     * before the directory is removed: some filesystems keep a limit whose directory is gone.
     */
    default void removeQuota(RootedPath directory) {}

    /**
     * Counts what is in the directory and below, itself included. No link is followed, and nothing on another mount than the
     * path's own counts. Nothing is changed or opened but directories. What comes and goes meanwhile counts or does not.
     *
     * <p>Tells the context every so often how far it is, and stops when the call is cancelled, as transient.
     *
     * @throws VolumeException transient, if there is no such directory; final, if this backend cannot count
     */
    default TreeUsage measure(RootedPath path, CallContext context) {
        throw VolumeException.finalFailure("this backend cannot measure " + path);
    }

    /**
     * Copies a file, sharing its blocks where the filesystem can; ioctl_ficlone(2). Otherwise its data is copied and holes
     * stay holes. The copy appears under its name whole and durable or not at all; a file of that name already is success.
     *
     * @param onlyShared whether to refuse, with a final failure, what cannot be shared: a copy that shares blocks is of one
     *     instant, although the file is written meanwhile
     */
    void copyFile(RootedPath from, RootedPath to, int mode, boolean onlyShared, CallContext context);

    /**
     * The content of a small file; empty if there is none. An attribute in sysfs that its device does not have, or whose device has gone
     * meanwhile, is none.
     */
    Optional<byte[]> read(RootedPath path, int maxBytes);

    /** What is there; empty if nothing is. Does not touch what is mounted at the path. */
    Optional<FileStatus> status(RootedPath path);

    /** Names in the directory, sorted; empty if there is none. */
    List<String> list(RootedPath path);

    /** Names in the root itself, sorted; empty if it does not exist. */
    List<String> listRoot(Path root);

    /**
     * Removes the directory with all that is below it, file by file; absent is success. Nothing of another mount is
     * removed: one below the path is an error, and what was removed until then stays removed. Stops when the call is
     * cancelled.
     *
     * <p>This walk names every file from the root; a backend that can keep directories open has a cheaper one, which also
     * ends where a name is longer than the kernel takes.
     */
    default void removeTree(RootedPath path, CallContext context) {
        Deque<RootedPath> open = new ArrayDeque<>();
        open.push(path);
        while (!open.isEmpty()) {
            if (context.cancelled()) {
                throw VolumeException.uncertain("removing " + path + " was cancelled on the way");
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
     * Where a path of the machine, outside the library's roots, leads when every link in it is followed; empty if nothing
     * is there. A person gave the path, so its links are that person's; what is done with the answer goes by {@link
     * RootedPath}, and notices a link that was put there since.
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
     * Finds a directory or file of the machine, links followed, and holds it. For configured paths that must mean the same
     * from the start of the process on. The default recognises everything by its path.
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

    /** What a name stands for. */
    record FileStatus(Type type, long bytes, int mode) {
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
