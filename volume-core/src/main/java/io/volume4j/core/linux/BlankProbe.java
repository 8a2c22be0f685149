package io.volume4j.core.linux;

import com.sun.jna.Memory;
import io.volume4j.core.linux.SignatureRegions.Region;
import io.volume4j.core.linux.Signatures.Found;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.mount.DeviceContent;
import io.volume4j.spi.mount.DeviceContent.Kind;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/**
 * Tells what is on a device. Done here and not by blkid, which answers alike for a blank device and for one that it could
 * not read. The device is read past the page cache, which may still hold what the device no longer gives.
 */
final class BlankProbe {
    private static final int CHUNK = 1 << 20;

    private final Kernel kernel;
    private final DeviceIdentities identities;

    BlankProbe(Kernel kernel, DeviceIdentities identities) {
        this.kernel = kernel;
        this.identities = identities;
    }

    DeviceContent probe(Path device) {
        try (Descriptor found = identities.open(device, Kernel.O_RDONLY)) {
            return probe(found, device);
        } catch (SyscallException e) {
            throw unreadable(device, e.text()).withCause(e);
        }
    }

    /** The device that the descriptor holds. */
    DeviceContent probe(Descriptor held, Path device) {
        try (Descriptor open = openPastCache(held)) {
            return interpret(read(open, device));
        } catch (SyscallException e) {
            throw unreadable(device, e.text()).withCause(e);
        }
    }

    private Descriptor openPastCache(Descriptor held) {
        try {
            return kernel.open(held.magicLink(), Kernel.O_RDONLY | kernel.architecture().openDirect);
        } catch (SyscallException e) {
            if (!e.is(Errno.EINVAL)) {
                throw e;
            }
            return kernel.open(held.magicLink(), Kernel.O_RDONLY);
        }
    }

    private DeviceImage read(Descriptor device, Path path) {
        long bytes = kernel.size(device);
        if (bytes < SignatureRegions.SMALLEST_DEVICE) {
            throw unreadable(
                    path,
                    "it has " + bytes + " bytes, fewer than the " + SignatureRegions.SMALLEST_DEVICE
                            + " that can be judged");
        }
        FileFacts file = identities.backingFile(device, path);
        if (file != null && file.bytes() < bytes) {
            // Some kernels give zeros for what lies beyond the end of the file.
            throw unreadable(path, "its file has " + file.bytes() + " bytes and the device " + bytes);
        }
        DeviceImage image = readAll(device, path, bytes);
        if (kernel.size(device) != bytes) {
            throw unreadable(path, "its size changed from " + bytes + " to " + kernel.size(device) + " meanwhile");
        }
        return image;
    }

    /** Every region, whole. */
    DeviceImage readAll(Descriptor device, Path path, long bytes) {
        Map<Region, byte[]> regions = new LinkedHashMap<>();
        try (Memory memory = new Memory(CHUNK + SignatureRegions.ALIGNMENT)) {
            Memory aligned = memory.align(SignatureRegions.ALIGNMENT);
            for (Region region : SignatureRegions.of(bytes)) {
                regions.put(region, read(device, path, region, aligned));
            }
        }
        return new DeviceImage(bytes, regions);
    }

    private byte[] read(Descriptor device, Path path, Region region, Memory buffer) {
        byte[] content = new byte[(int) region.length()];
        int done = 0;
        while (done < content.length) {
            long offset = region.from() + done;
            int length;
            try {
                length = kernel.read(device, buffer, Math.min(CHUNK, content.length - done), offset);
            } catch (SyscallException e) {
                throw unreadable(path, e.text()).withCause(e);
            }
            if (length <= 0) {
                throw unreadable(path, "it ends at " + offset + " and not at " + region.to());
            }
            buffer.read(0, content, done, length);
            done += length;
        }
        return content;
    }

    /** Pure. */
    static DeviceContent interpret(DeviceImage image) {
        OptionalLong nonZero = image.firstNonZero();
        if (nonZero.isEmpty()) {
            return new DeviceContent(Kind.BLANK, "", "read " + image.extent() + ": all zero");
        }
        List<Found> found = Signatures.in(image);
        String evidence = "read " + image.extent() + ": "
                + (found.isEmpty()
                        ? "nothing known; the first byte that is not zero is at " + nonZero.getAsLong()
                        : String.join(
                                ", ",
                                found.stream()
                                        .map(each -> each.name() + " at " + each.offset())
                                        .toList()));
        List<Found> foreign = found.stream().filter(each -> !each.filesystem()).toList();
        List<String> filesystems = found.stream()
                .filter(Found::filesystem)
                .map(Found::name)
                .distinct()
                .toList();
        if (foreign.isEmpty() && filesystems.size() == 1) {
            return new DeviceContent(Kind.FILESYSTEM, filesystems.get(0), evidence);
        }
        // Marks of several owners: nobody but a person can tell which of them counts.
        String type = !foreign.isEmpty() ? foreign.get(0).name() : String.join("+", filesystems);
        return new DeviceContent(Kind.FOREIGN, type, evidence);
    }

    private static VolumeException unreadable(Path device, String why) {
        return VolumeException.transientFailure(
                "probe " + device + ": it could not be read, which does not make it blank: " + why);
    }
}
