package io.volume4j.core.linux.path;

import com.google.common.hash.Hashing;
import io.volume4j.core.linux.path.SafePaths.Reach;
import io.volume4j.core.linux.sys.Descriptor;
import io.volume4j.core.linux.sys.DirectoryEntries;
import io.volume4j.core.linux.sys.Errno;
import io.volume4j.core.linux.sys.FileFacts;
import io.volume4j.core.linux.sys.Kernel;
import io.volume4j.core.linux.sys.SyscallException;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.mount.HostFiles;
import io.volume4j.spi.mount.RootedPath;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The contents of files and directories. A file appears under its name complete and durable, or not at all. It is
 * written under another name first. That name is the same for every try. So a crash leaves at most one such file; the
 * next try replaces it, and listings omit it.
 */
final class FileContents {
    private final Kernel kernel;
    private final SafePaths paths;

    FileContents(Kernel kernel, SafePaths paths) {
        this.kernel = kernel;
        this.paths = paths;
    }

    void createSparse(RootedPath path, long bytes, int mode) {
        if (bytes < 0) {
            throw new IllegalArgumentException("a file cannot have " + bytes + " bytes");
        }
        String name = path.relative().getFileName().toString();
        try (Descriptor root = paths.root(path.root());
                Descriptor parent = paths.parent(root, path.relative(), Reach.ACROSS_MOUNTS)) {
            String unfinished = make(parent, name, mode, true, file -> kernel.truncate(file, bytes));
            try {
                // Unlike a rename, link(2) refuses to replace an existing file.
                kernel.link(parent, unfinished, name);
            } catch (SyscallException e) {
                if (!e.is(Errno.EEXIST)) {
                    throw e.of("linkat " + path);
                }
                acceptIfSize(parent, path, bytes);
            } finally {
                kernel.removeFile(parent, unfinished);
            }
            syncDirectory(parent);
        }
    }

    private void acceptIfSize(Descriptor parent, RootedPath path, long bytes) {
        FileFacts there = kernel.factsAt(parent, path.relative().getFileName().toString());
        if (!there.isRegular() || there.bytes() != bytes) {
            throw VolumeException.finalFailure("create " + path + " of " + bytes + " bytes: there is "
                    + (there.isRegular() ? "a file of " + there.bytes() + " bytes" : "something else") + " already");
        }
    }

    void grow(RootedPath path, long bytes) {
        try (Descriptor file = openRegular(path, Kernel.O_WRONLY)) {
            if (kernel.facts(file).bytes() < bytes) {
                kernel.truncate(file, bytes);
                kernel.sync(file);
            }
        }
    }

    void replace(RootedPath path, byte[] content, int mode, boolean durable) {
        String name = path.relative().getFileName().toString();
        try (Descriptor parent = paths.parent(path)) {
            String unfinished = make(parent, name, mode, durable, file -> kernel.write(file, content));
            try {
                if (durable || !exchange(parent, unfinished, name)) {
                    kernel.rename(parent, unfinished, parent, name);
                }
            } catch (SyscallException e) {
                kernel.removeFile(parent, unfinished);
                throw e.of("renameat to " + path);
            }
            if (durable) {
                syncDirectory(parent);
            }
        }
    }

    /**
     * Replaces an existing file and removes the old one. False if there is none or the filesystem does not support it.
     * For a rename over a file, ext4 writes the new blocks at once, to protect programs that forget to sync. A process
     * that removes the file soon afterwards then waits for the disk.
     */
    private boolean exchange(Descriptor parent, String unfinished, String name) {
        // A directory of that name must stay. A rename refuses to replace it by a file, and an exchange does not.
        if (!isThere(parent, name)) {
            return false;
        }
        try {
            kernel.exchange(parent, unfinished, name);
        } catch (SyscallException e) {
            // The rename reports any other error.
            return false;
        }
        kernel.removeFile(parent, unfinished);
        return true;
    }

    /** One write(2) to the beginning of an existing file. */
    void overwrite(RootedPath path, byte[] content) {
        try (Descriptor file = openRegular(path, Kernel.O_WRONLY)) {
            kernel.write(file, content);
        } catch (SyscallException e) {
            throw e.of("write " + path);
        }
    }

    /** Creates a complete and durable file under its name. An existing file stays unchanged. */
    void makeNew(RootedPath path, int mode, Consumer<Descriptor> fill) {
        String name = path.relative().getFileName().toString();
        try (Descriptor root = paths.root(path.root());
                Descriptor parent = paths.parent(root, path.relative(), Reach.ACROSS_MOUNTS)) {
            if (isThere(parent, name)) {
                return;
            }
            String unfinished = make(parent, name, mode, true, fill);
            try {
                kernel.link(parent, unfinished, name);
            } catch (SyscallException e) {
                if (!e.is(Errno.EEXIST) || !isThere(parent, name)) {
                    throw e.of("linkat " + path);
                }
                return;
            } finally {
                kernel.removeFile(parent, unfinished);
            }
            syncDirectory(parent);
        }
    }

    private boolean isThere(Descriptor parent, String name) {
        try {
            return kernel.factsAt(parent, name).isRegular();
        } catch (SyscallException e) {
            if (e.is(Errno.ENOENT)) {
                return false;
            }
            throw e;
        }
    }

    void link(RootedPath path, String text) {
        String name = path.relative().getFileName().toString();
        try (Descriptor root = paths.root(path.root());
                Descriptor parent = paths.parent(root, path.relative(), Reach.ACROSS_MOUNTS)) {
            String unfinished = unfinished(name);
            try {
                kernel.symbolicLink(parent, text, unfinished);
            } catch (SyscallException e) {
                if (!e.is(Errno.EEXIST)) {
                    throw e;
                }
                kernel.removeFile(parent, unfinished);
                kernel.symbolicLink(parent, text, unfinished);
            }
            try {
                kernel.rename(parent, unfinished, parent, name);
            } catch (SyscallException e) {
                kernel.removeFile(parent, unfinished);
                throw e.of("renameat to " + path);
            }
            syncDirectory(parent);
        }
    }

    Optional<String> readLink(RootedPath path) {
        String name = path.relative().getFileName().toString();
        try (Descriptor root = paths.root(path.root());
                Descriptor parent = paths.parent(root, path.relative(), Reach.ACROSS_MOUNTS)) {
            return Optional.of(kernel.readLink(parent, name));
        } catch (SyscallException e) {
            if (e.is(Errno.ENOENT)) {
                return Optional.empty();
            }
            throw e.is(Errno.EINVAL) ? e.of("readlinkat " + path + ": it is no symbolic link") : e;
        }
    }

    Optional<byte[]> read(RootedPath path, int maxBytes) {
        try (Descriptor file = openRegular(path, Kernel.O_RDONLY)) {
            long bytes = kernel.facts(file).bytes();
            byte[] content = new byte[(int) Math.min(bytes, maxBytes) + 1];
            int length = 0;
            while (length < content.length) {
                byte[] part = new byte[content.length - length];
                int read = kernel.read(file, part);
                if (read == 0) {
                    return Optional.of(Arrays.copyOf(content, length));
                }
                System.arraycopy(part, 0, content, length, read);
                length += read;
            }
            throw VolumeException.finalFailure("read " + path + ": it is longer than " + (length - 1) + " bytes");
        } catch (SyscallException e) {
            switch (e.errno()) {
                case ENOENT:
                // attributes in sysfs that the device's driver does not support, or whose device was just removed
                case ENXIO:
                case ENODEV:
                case ENODATA:
                case EOPNOTSUPP:
                    return Optional.empty();
                default:
                    throw e;
            }
        }
    }

    /** Names in an open directory, sorted. */
    List<String> names(Descriptor directory) {
        List<String> names = rawNames(directory);
        names.removeIf(name -> name.startsWith(HostFiles.UNFINISHED));
        return Collections.unmodifiableList(names);
    }

    /**
     * Removes unfinished files from a directory with no other contents. Otherwise removes nothing and returns false.
     */
    boolean removeLeftovers(Descriptor parent, String name) {
        int flags = Kernel.O_RDONLY | kernel.architecture().openDirectory;
        try (Descriptor directory = paths.open(parent, Path.of(name), flags, Reach.SAME_MOUNT)) {
            List<String> names = rawNames(directory);
            for (String each : names) {
                if (!each.startsWith(HostFiles.UNFINISHED)
                        || kernel.factsAt(directory, each).isDirectory()) {
                    return false;
                }
            }
            names.forEach(each -> kernel.removeFile(directory, each));
            return true;
        }
    }

    /** Checks the type before it opens the file for input and output: opening a device can have effects. */
    Descriptor openRegular(RootedPath path, int flags) {
        try (Descriptor root = paths.root(path.root());
                Descriptor found = paths.open(root, path.relative(), Kernel.O_PATH, Reach.ACROSS_MOUNTS)) {
            if (!kernel.facts(found).isRegular()) {
                throw VolumeException.finalFailure(path + " is not a regular file");
            }
            return kernel.open(found.magicLink(), flags);
        }
    }

    private static String unfinished(String name) {
        return HostFiles.UNFINISHED
                + Hashing.sha256()
                        .hashString(name, StandardCharsets.UTF_8)
                        .toString()
                        .substring(0, 16);
    }

    private String make(Descriptor parent, String name, int mode, boolean durable, Consumer<Descriptor> fill) {
        String unfinished = unfinished(name);
        Descriptor file;
        try {
            file = kernel.openAt(parent, unfinished, Kernel.O_CREAT | Kernel.O_EXCL | Kernel.O_WRONLY, 0600);
        } catch (SyscallException e) {
            if (!e.is(Errno.EEXIST)) {
                throw e;
            }
            kernel.removeFile(parent, unfinished);
            file = kernel.openAt(parent, unfinished, Kernel.O_CREAT | Kernel.O_EXCL | Kernel.O_WRONLY, 0600);
        }
        try (Descriptor opened = file) {
            fillOrRemove(parent, unfinished, opened, fill);
            kernel.changeMode(opened, mode);
            if (durable) {
                kernel.sync(opened);
            }
            return unfinished;
        } catch (SyscallException e) {
            kernel.removeFile(parent, unfinished);
            throw e.of(e.call() + " for " + name);
        }
    }

    /** If the caller's function fails, removes the unfinished file at once; a copy may be large. */
    private void fillOrRemove(Descriptor parent, String unfinished, Descriptor opened, Consumer<Descriptor> fill) {
        try {
            fill.accept(opened);
        } catch (VolumeException e) {
            kernel.removeFile(parent, unfinished);
            throw e;
        }
    }

    private void syncDirectory(Descriptor directory) {
        try (Descriptor readable = kernel.open(directory.magicLink(), Kernel.O_RDONLY)) {
            kernel.sync(readable);
        }
    }

    private List<String> rawNames(Descriptor directory) {
        List<String> names = new ArrayList<>();
        byte[] buffer = new byte[DirectoryEntries.BUFFER];
        for (int length = kernel.entries(directory, buffer); length > 0; length = kernel.entries(directory, buffer)) {
            DirectoryEntries.names(buffer, length).forEach(name -> names.add(name.toString()));
        }
        Collections.sort(names);
        return names;
    }
}
