package io.volume4j.examples.csilifecycle;

import io.volume4j.core.linux.LinuxMountBackend;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.mount.RootedPath;
import io.volume4j.spi.mount.UnmountMode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/** The kernel's mount table in the mount namespace of this process. */
final class MountTable {
    private static final Path TABLE = Path.of("/proc/self/mountinfo");

    private MountTable() {}

    /** A line of the table. */
    record Mount(Path at, boolean readOnly) {}

    /**
     * The mounts at the path and below it, the last one first, which is the order for unmounting.
     *
     * @throws UncheckedIOException if the table cannot be read
     */
    static List<Mount> below(Path path) {
        List<Mount> found = new ArrayList<>();
        try {
            for (String line : Files.readAllLines(TABLE, StandardCharsets.ISO_8859_1)) {
                String[] fields = line.split(" ");
                Path at = Path.of(unescaped(fields[4]));
                if (at.startsWith(path)) {
                    found.add(0, new Mount(at, onlyReads(fields[5])));
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException("the mount table cannot be read: " + e.getMessage(), e);
        }
        return found;
    }

    /** From the options of the mount itself. */
    private static boolean onlyReads(String options) {
        return Arrays.asList(options.split(",")).contains("ro");
    }

    /** Whether the path still shows a volume: it is a mount point, a link or a device. */
    static boolean shows(Path path) {
        return !below(path).isEmpty() || isLinkOrDevice(path);
    }

    /** Drivers without the right to mount create these. */
    static boolean isLinkOrDevice(Path path) {
        try {
            BasicFileAttributes attributes =
                    Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
            return attributes.isSymbolicLink() || attributes.isOther();
        } catch (IOException nothingIsThere) {
            return false;
        }
    }

    /**
     * Removes mounts, links and devices at the path and below it.
     *
     * @throws Failed if that is not possible
     */
    static void clear(Path path) {
        List<Mount> mounts = below(path);
        if (!mounts.isEmpty()) {
            unmount(mounts);
        }
        try {
            if (isLinkOrDevice(path)) {
                Files.delete(path);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void unmount(List<Mount> mounts) {
        try (LinuxMountBackend machine = LinuxMountBackend.create()) {
            for (Mount mount : mounts) {
                Path parent = Objects.requireNonNull(mount.at().getParent(), "parent");
                machine.unmount(new RootedPath(parent, mount.at().getFileName()), UnmountMode.NORMAL);
            }
        } catch (VolumeException e) {
            throw new Failed(
                    mounts.get(0).at() + " cannot be unmounted: " + e.getMessage(),
                    "end what uses it, or unmount it by hand, and run again with the same --state");
        }
    }

    /** Blanks and some other characters have the form of three octal digits. */
    private static String unescaped(String text) {
        StringBuilder plain = new StringBuilder();
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) == '\\' && i + 3 < text.length()) {
                plain.append((char) Integer.parseInt(text.substring(i + 1, i + 4), 8));
                i += 3;
            } else {
                plain.append(text.charAt(i));
            }
        }
        return new String(plain.toString().getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8);
    }
}
