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
 * What is in files and directories. A file appears under its name complete and durable, or not at all: it is made under
 * another name first, one that is the same at every try, so that a crash leaves at most one such file, which the next try
 * replaces and listings leave out.
 */
final class FileContents {
    private static final String UNFINISHED = ".volume4j-unfinished-";

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
                // Unlike a rename this refuses to replace what is there.
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
     * Replaces a file that is there and removes the old one; false if there is none or the filesystem cannot. On ext4 a
     * rename over a file has the new one's blocks written at once, for programs that forget to sync, and a process that
     * removes it soon afterwards waits for the disk.
     */
    private boolean exchange(Descriptor parent, String unfinished, String name) {
        // A directory of that name must not give way to a file, which a rename refuses and an exchange does not.
        if (!isThere(parent, name)) {
            return false;
        }
        try {
            kernel.exchange(parent, unfinished, name);
        } catch (SyscallException e) {
            // Whatever else is wrong, the rename will say so.
            return false;
        }
        kernel.removeFile(parent, unfinished);
        return true;
    }

    /** One write(2) to the beginning of a file that is there. */
    void overwrite(RootedPath path, byte[] content) {
        try (Descriptor file = openRegular(path, Kernel.O_WRONLY)) {
            kernel.write(file, content);
        } catch (SyscallException e) {
            throw e.of("write " + path);
        }
    }

    /** Makes a file whole and durable under its name; one that is there already stays as it is. */
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
                // attributes in sysfs that the driver of this device does not know, or whose device has just gone
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
        names.removeIf(name -> name.startsWith(UNFINISHED));
        return Collections.unmodifiableList(names);
    }

    /** Removes unfinished files from a directory that holds nothing else; false, and nothing is removed, if it does. */
    boolean removeLeftovers(Descriptor parent, String name) {
        int flags = Kernel.O_RDONLY | kernel.architecture().openDirectory;
        try (Descriptor directory = paths.open(parent, Path.of(name), flags, Reach.SAME_MOUNT)) {
            List<String> names = rawNames(directory);
            for (String each : names) {
                if (!each.startsWith(UNFINISHED)
                        || kernel.factsAt(directory, each).isDirectory()) {
                    return false;
                }
            }
            names.forEach(each -> kernel.removeFile(directory, each));
            return true;
        }
    }

    /** Looks what it is before opening it in earnest: opening a device can do things. */
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
        return UNFINISHED
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

    /** What a caller's own failure leaves half-made goes at once; a copy may be large. */
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
