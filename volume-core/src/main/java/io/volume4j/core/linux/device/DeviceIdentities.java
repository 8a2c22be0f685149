package io.volume4j.core.linux.device;

import io.volume4j.core.linux.sys.Descriptor;
import io.volume4j.core.linux.sys.FileFacts;
import io.volume4j.core.linux.sys.Kernel;
import io.volume4j.core.linux.sys.PathText;
import io.volume4j.core.linux.sys.SyscallException;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.mount.DeviceIdentity;
import io.volume4j.spi.mount.HostFiles.FileStatus;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Opens block devices and identifies an open device. While it is open, no other device can have its number. So the
 * data in sysfs under that number describes this device, whatever happens to the path. Thread-safe.
 */
final class DeviceIdentities {
    private static final Path BY_NUMBER = Path.of("/sys/dev/block");
    private static final Path BOOT_ID = Path.of("/proc/sys/kernel/random/boot_id");
    private static final Pattern LOOP = Pattern.compile("loop([0-9]+)");
    private static final int LONGEST_NAME = 1024;

    /** The files with permanent names of a device, best first; below the device's directory in sysfs. */
    private enum Name {
        WWID("wwid", "wwid"),
        SCSI_WWID("wwid", "device/wwid"),
        DEVICE_MAPPER("dm", "dm/uuid"),
        RAID("md", "md/uuid"),
        SERIAL("serial", "serial"),
        DEVICE_SERIAL("serial", "device/serial");

        private final String prefix;
        private final String file;

        Name(String prefix, String file) {
            this.prefix = prefix;
            this.file = file;
        }
    }

    private final Kernel kernel;
    private final LoopInventory loops;

    DeviceIdentities(Kernel kernel) {
        this.kernel = kernel;
        this.loops = new LoopInventory(kernel);
    }

    /** Opens the device at the path. Checks its type before it opens it for input and output. */
    Descriptor open(Path device, int flags) {
        try (Descriptor found = kernel.open(device, Kernel.O_PATH)) {
            if (kernel.facts(found).type() != FileStatus.Type.BLOCK_DEVICE) {
                throw VolumeException.transientFailure(device + " is not a block device");
            }
            return kernel.open(found.magicLink(), flags);
        } catch (SyscallException e) {
            throw e.of("open " + device);
        }
    }

    DeviceIdentity of(Descriptor device, Path path) {
        String number = kernel.facts(device).represents();
        Path sysfs = real(BY_NUMBER.resolve(number), path);
        FileFacts file = backingFile(device, path);
        String serial = file == null
                ? ofHardware(sysfs, number)
                : "file:" + file.device() + ":" + file.inode() + ":" + file.born();
        return new DeviceIdentity(serial, kernel.size(device));
    }

    /** The backing file of a loop device, null for every other device. */
    @Nullable
    FileFacts backingFile(Descriptor device, Path path) {
        BackingFile file = find(device, path);
        return file == null ? null : file.facts();
    }

    /**
     * The parts of the device that may contain bytes other than zero. Flushes the device first, so that the map of a
     * file or a unit is complete.
     */
    DataExtents dataMap(Descriptor device, Path path, long bytes) {
        BackingFile file = find(device, path);
        if (file == null) {
            @Nullable DataExtents told = UnitMap.of(new ScsiUnit(kernel, device), bytes);
            return told == null ? DataExtents.everything(bytes) : told;
        }
        if (!file.status().plain() || !file.facts().isRegular()) {
            return DataExtents.everything(bytes);
        }
        kernel.sync(device);
        try (Descriptor open = kernel.open(file.path(), Kernel.O_RDONLY)) {
            return file.status().isOf(kernel.facts(open))
                    ? DataExtents.ofFile(kernel, open, bytes)
                    : DataExtents.everything(bytes);
        } catch (SyscallException e) {
            throw e.of("open " + file.path());
        }
    }

    private record BackingFile(Path path, LoopStatus status, FileFacts facts) {}

    private @Nullable BackingFile find(Descriptor device, Path path) {
        Path sysfs = real(BY_NUMBER.resolve(kernel.facts(device).represents()), path);
        Matcher loop = LOOP.matcher(sysfs.getFileName().toString());
        if (!loop.matches()) {
            return null;
        }
        LoopStatus status = loops.status(device)
                .orElseThrow(() -> VolumeException.transientFailure("identify " + path + ": it has no file"));
        Path file = loops.entry(Integer.parseInt(loop.group(1)))
                .map(loops::withFullName)
                .orElseThrow(() -> VolumeException.transientFailure("identify " + path + ": its file went away"))
                .file();
        FileFacts facts;
        try {
            facts = kernel.facts(file);
        } catch (SyscallException e) {
            throw e.of("identify " + path + " by its file: " + e.call());
        }
        if (!status.isOf(facts)) {
            throw VolumeException.transientFailure("identify " + path + ": its file is no longer at " + file);
        }
        return new BackingFile(file, status, facts);
    }

    private String ofHardware(Path sysfs, String number) {
        String partition = line(sysfs.resolve("partition"));
        Path disk = partition.isEmpty() ? sysfs : Objects.requireNonNull(sysfs.getParent());
        String suffix = partition.isEmpty() ? "" : ":partition" + partition;
        for (Name name : Name.values()) {
            String value = line(disk.resolve(name.file));
            if (!value.isEmpty()) {
                return name.prefix + ":" + value + suffix;
            }
        }
        // Such a device has no permanent name. Its sequence number stays valid until the next boot.
        return "boot:" + line(BOOT_ID) + ":" + number + ":" + line(disk.resolve("diskseq")) + suffix;
    }

    private static Path real(Path sysfs, Path device) {
        try {
            return sysfs.toRealPath();
        } catch (IOException e) {
            throw VolumeException.transientFailure(
                    "identify " + device + ": cannot resolve " + sysfs + ": " + e.getMessage());
        }
    }

    /** The only line of a file, {@code ""} if there is no file or its driver has no value. */
    private String line(Path file) {
        try (Descriptor open = kernel.open(file, Kernel.O_RDONLY)) {
            byte[] text = new byte[LONGEST_NAME];
            return PathText.text(text, 0, kernel.read(open, text)).trim();
        } catch (SyscallException e) {
            switch (e.errno()) {
                case ENOENT:
                case ENOTDIR:
                case EINVAL:
                case ENXIO:
                case ENODATA:
                case EOPNOTSUPP:
                    return "";
                default:
                    throw e.of("read " + file);
            }
        }
    }
}
