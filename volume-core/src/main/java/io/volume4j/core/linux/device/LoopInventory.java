package io.volume4j.core.linux.device;

import io.volume4j.core.linux.sys.Descriptor;
import io.volume4j.core.linux.sys.Errno;
import io.volume4j.core.linux.sys.IoctlRequest;
import io.volume4j.core.linux.sys.Kernel;
import io.volume4j.core.linux.sys.PathText;
import io.volume4j.core.linux.sys.SyscallException;
import io.volume4j.spi.VolumeException;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** The machine's loop devices with a file, from sysfs. Opens no device. Thread-safe. */
final class LoopInventory {
    private static final Path BLOCK = Path.of("/sys/block");
    private static final String DELETED = " (deleted)";

    private final Kernel kernel;

    LoopInventory(Kernel kernel) {
        this.kernel = kernel;
    }

    /**
     * A loop device with a file.
     *
     * @param file the path at the set-up, without the suffix that the kernel appends for a deleted file
     */
    record Entry(int number, Path file, boolean deleted) {
        Path device() {
            return Path.of("/dev/loop" + number);
        }
    }

    /** By number. */
    List<Entry> entries() {
        List<Entry> entries = new ArrayList<>();
        try (DirectoryStream<Path> names = Files.newDirectoryStream(BLOCK, "loop[0-9]*")) {
            for (Path name : names) {
                int number = Integer.parseInt(name.getFileName().toString().substring("loop".length()));
                entry(number).ifPresent(entries::add);
            }
        } catch (NoSuchFileException e) {
            return List.of();
        } catch (IOException e) {
            throw VolumeException.transientFailure("cannot list " + BLOCK + ": " + e.getMessage());
        }
        entries.sort(Comparator.comparingInt(Entry::number));
        return entries;
    }

    /** The device, if it has a file. */
    Optional<Entry> entry(int number) {
        Path backing = BLOCK.resolve("loop" + number).resolve("loop/backing_file");
        byte[] text;
        try {
            text = Files.readAllBytes(backing);
        } catch (NoSuchFileException e) {
            return Optional.empty();
        } catch (IOException e) {
            if (!Files.exists(backing)) {
                return Optional.empty();
            }
            throw VolumeException.transientFailure("cannot read " + backing + ": " + e.getMessage());
        }
        int end = text.length > 0 && text[text.length - 1] == '\n' ? text.length - 1 : text.length;
        String file = PathText.text(text, 0, end);
        boolean deleted = file.endsWith(DELETED);
        String name = deleted ? file.substring(0, file.length() - DELETED.length()) : file;
        return Optional.of(new Entry(number, PathText.path(name), deleted));
    }

    /**
     * The entry with its full name, if the suffix is part of the file's name and not the kernel's mark for a deleted
     * file.
     */
    Entry withFullName(Entry entry) {
        if (!entry.deleted()) {
            return entry;
        }
        Path full = Path.of(entry.file() + DELETED);
        return Files.exists(full, LinkOption.NOFOLLOW_LINKS) ? new Entry(entry.number(), full, false) : entry;
    }

    /** The status of the open device; empty if it has no file. */
    Optional<LoopStatus> status(Descriptor device) {
        byte[] info = new byte[LoopStatus.SIZE];
        try {
            kernel.control(device, IoctlRequest.LOOP_GET_STATUS64, info);
            return Optional.of(LoopStatus.of(info));
        } catch (SyscallException e) {
            if (e.is(Errno.ENXIO)) {
                return Optional.empty();
            }
            throw e;
        }
    }
}
