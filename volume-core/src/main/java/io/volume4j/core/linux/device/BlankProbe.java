package io.volume4j.core.linux.device;

import com.sun.jna.Memory;
import io.volume4j.core.linux.device.SignatureRegions.Region;
import io.volume4j.core.linux.device.Signatures.Found;
import io.volume4j.core.linux.sys.Descriptor;
import io.volume4j.core.linux.sys.Errno;
import io.volume4j.core.linux.sys.FileFacts;
import io.volume4j.core.linux.sys.Kernel;
import io.volume4j.core.linux.sys.SyscallException;
import io.volume4j.spi.CallContext;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.mount.DeviceContent;
import io.volume4j.spi.mount.DeviceContent.Kind;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/**
 * Determines the contents of a device. Does not use blkid, which gives the same result for a blank device and for an
 * unreadable one. Reads past the page cache, which may still have data that the device no longer returns.
 *
 * <p>It first reads the regions in which every known format leaves a mark. Only if they are empty, it verifies the
 * rest: holes by the map of the backing file, and all other bytes by reading them, up to the caller's limit.
 */
final class BlankProbe {
    private static final int CHUNK = 1 << 20;

    /** Bytes that a probe reads without permission: this takes about as long as reading the marks. */
    private static final long READ_ANYHOW = 16L << 20;

    /** The number of progress reports of a call. */
    private static final int PROGRESS_STEPS = 20;

    private final Kernel kernel;
    private final DeviceIdentities identities;

    BlankProbe(Kernel kernel, DeviceIdentities identities) {
        this.kernel = kernel;
        this.identities = identities;
    }

    /** Reads little more than the marks. */
    DeviceContent probe(Path device) {
        return probe(device, READ_ANYHOW, (bytes, of) -> {});
    }

    /**
     * Reads the device to prove it blank.
     *
     * @param readAtMost bytes
     * @throws VolumeException transient, if the device could not be read, or if the call is cancelled or past its
     *     deadline
     */
    DeviceContent probe(Path device, long readAtMost, CallContext context) {
        return probe(device, Math.max(readAtMost, READ_ANYHOW), new Reporter(device, context));
    }

    private DeviceContent probe(Path device, long readAtMost, Progress progress) {
        try (Descriptor found = identities.open(device, Kernel.O_RDONLY)) {
            return probe(found, device, readAtMost, progress);
        } catch (SyscallException e) {
            throw unreadable(device, e.text()).withCause(e);
        }
    }

    /** Probes the device of the descriptor. Reads little more than the marks. */
    DeviceContent probe(Descriptor held, Path device) {
        return probe(held, device, READ_ANYHOW, (bytes, of) -> {});
    }

    private DeviceContent probe(Descriptor held, Path device, long readAtMost, Progress progress) {
        try (Descriptor open = openPastCache(held)) {
            DeviceImage image = read(open, device);
            DeviceContent marked = interpret(image);
            return marked.kind() == Kind.UNPROVED
                    ? prove(open, device, image.bytes(), marked.evidence(), readAtMost, progress)
                    : marked;
        } catch (SyscallException e) {
            throw unreadable(device, e.text()).withCause(e);
        }
    }

    private DeviceContent prove(
            Descriptor device, Path path, long bytes, String marks, long readAtMost, Progress progress) {
        DataExtents map = identities.dataMap(device, path, bytes);
        if (map.size() > readAtMost) {
            return new DeviceContent(
                    Kind.UNPROVED,
                    "",
                    marks + "; not read was the rest: " + map.size() + " bytes may hold data, and at most " + readAtMost
                            + " are read to find out");
        }
        OptionalLong nonZero =
                ZeroScan.firstNonZero(kernel, device, map.parts(), read -> progress.read(read, map.size()));
        requireSize(device, path, bytes);
        return nonZero.isPresent()
                ? new DeviceContent(Kind.FOREIGN, "", "a byte that is not zero is at " + nonZero.getAsLong())
                : new DeviceContent(Kind.BLANK, "", "all zero: read " + map.describe());
    }

    private interface Progress {
        void read(long bytes, long of);
    }

    /** Stops a cancelled or late call, and reports the progress of others. */
    private static final class Reporter implements Progress {
        private final Path device;
        private final CallContext context;
        private long told;

        Reporter(Path device, CallContext context) {
            this.device = device;
            this.context = context;
        }

        @Override
        public void read(long bytes, long of) {
            String stopped = context.cancelled()
                    ? "the call was cancelled"
                    : context.remaining().isNegative() || context.remaining().isZero() ? "the call's time is over" : "";
            if (!stopped.isEmpty()) {
                throw unreadable(device, stopped + " after " + bytes + " of " + of + " bytes, all zero")
                        .withAdvice(
                                "it is read again from its beginning; if it is too large for the call's time, make the"
                                        + " filesystem yourself");
            }
            long step = bytes * PROGRESS_STEPS / Math.max(1, of);
            if (step > told) {
                told = step;
                context.progress("reading " + device + " to prove it blank: " + step * (100 / PROGRESS_STEPS) + " % of "
                        + of + " bytes");
            }
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
            // Some kernels return zeros for bytes beyond the end of the file.
            throw unreadable(path, "its file has " + file.bytes() + " bytes and the device " + bytes);
        }
        DeviceImage image = readAll(device, path, bytes);
        requireSize(device, path, bytes);
        return image;
    }

    private void requireSize(Descriptor device, Path path, long bytes) {
        long now = kernel.size(device);
        if (now != bytes) {
            throw unreadable(path, "its size changed from " + bytes + " to " + now + " meanwhile");
        }
    }

    /** Reads every region completely. */
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

    /** Interprets the marks. Pure. */
    static DeviceContent interpret(DeviceImage image) {
        OptionalLong nonZero = image.firstNonZero();
        if (nonZero.isEmpty()) {
            return new DeviceContent(Kind.UNPROVED, "", "read " + image.extent() + ": all zero");
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
        // Marks of several formats: only an administrator can decide which of them counts.
        String type = !foreign.isEmpty() ? foreign.get(0).name() : String.join("+", filesystems);
        return new DeviceContent(Kind.FOREIGN, type, evidence);
    }

    private static VolumeException unreadable(Path device, String why) {
        return VolumeException.transientFailure(
                "probe " + device + ": it could not be read, which does not make it blank: " + why);
    }
}
