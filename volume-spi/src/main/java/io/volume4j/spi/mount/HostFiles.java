package io.volume4j.spi.mount;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Files below a root of the library. No call follows a link below the root, crosses into another mount when removing, or
 * removes what is not empty. Thread-safe.
 */
public interface HostFiles {
    /** Makes the root itself, with its parents, for its owner only; there already is success. */
    void createRoot(Path root);

    /** Makes the directory and those above it up to the root; there already is success. Exact mode, whatever the umask. */
    void createDirectory(RootedPath path, int mode);

    /** Removes an empty directory; absent is success. A mount point or a directory with content is an error. */
    void removeDirectory(RootedPath path);

    /** Makes a file of the size without allocating it; a file of that size there already is success. */
    void createSparseFile(RootedPath path, long bytes, int mode);

    /** Makes a file larger; never smaller. */
    void growFile(RootedPath path, long bytes);

    /** Removes a file that is not a directory; absent is success. */
    void removeFile(RootedPath path);

    /** Writes the whole content so that a crash leaves the old or the new, durable when the call returns. */
    void writeAtomically(RootedPath path, byte[] content, int mode);

    /** The content of a small file; empty if there is none. */
    Optional<byte[]> read(RootedPath path, int maxBytes);

    /** What is there; empty if nothing is. Does not touch what is mounted at the path. */
    Optional<FileStatus> status(RootedPath path);

    /** Names in the directory, sorted; empty if there is none. */
    List<String> list(RootedPath path);

    /** Names in the root itself, sorted; empty if it does not exist. */
    List<String> listRoot(Path root);

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
