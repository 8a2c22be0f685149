package io.volume4j.core.linux.device;

import com.sun.jna.Memory;
import io.volume4j.core.linux.device.SignatureRegions.Region;
import io.volume4j.core.linux.sys.Descriptor;
import io.volume4j.core.linux.sys.Errno;
import io.volume4j.core.linux.sys.Kernel;
import io.volume4j.core.linux.sys.SyscallException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Reads parts of a device, several at a time, until the first byte that is not zero. On a network device, parallel
 * reads are much faster than sequential reads.
 */
final class ZeroScan {
    private static final int READERS = 4;
    private static final int CHUNK = 1 << 20;
    private static final ByteBuffer ZEROS = ByteBuffer.allocateDirect(CHUNK).asReadOnlyBuffer();
    private static final long NONE = Long.MAX_VALUE;

    private final Kernel kernel;
    private final Descriptor device;
    private final Iterator<Region> regions;
    private @Nullable Region rest;
    private long done;
    private long firstNonZero = NONE;
    private @Nullable Throwable failure;

    private ZeroScan(Kernel kernel, Descriptor device, List<Region> regions) {
        this.kernel = kernel;
        this.device = device;
        this.regions = regions.iterator();
    }

    /** Receives the progress of the scan on the caller's thread. */
    @FunctionalInterface
    interface Watch {
        /**
         * Called between two reads, and at the end of a scan that found only zeros. An exception ends the scan.
         *
         * @param bytes read so far
         */
        void read(long bytes);
    }

    /**
     * The offset of a byte that is not zero.
     *
     * @param regions begin on {@link SignatureRegions#ALIGNMENT}
     * @throws SyscallException if a read fails, or the device ends before a region does
     */
    static OptionalLong firstNonZero(Kernel kernel, Descriptor device, List<Region> regions, Watch watch) {
        return new ZeroScan(kernel, device, regions).run(watch);
    }

    private OptionalLong run(Watch watch) {
        List<Thread> readers = new ArrayList<>();
        try {
            startMore(readers);
            read(watch);
        } finally {
            // The readers use the descriptor: all must have ended when the caller closes it.
            stop();
            joinAll(readers);
        }
        rethrow();
        OptionalLong found = found();
        if (found.isEmpty()) {
            watch.read(bytesRead());
        }
        return found;
    }

    private void startMore(List<Thread> readers) {
        for (int i = 1; i < READERS; i++) {
            Thread reader;
            try {
                reader = new Thread(this::readAside, "volume-blank-" + i);
                reader.setDaemon(true);
                reader.start();
            } catch (RuntimeException | Error noThread) {
                // The caller's thread reads the remaining parts.
                return;
            }
            readers.add(reader);
        }
    }

    private static void joinAll(List<Thread> readers) {
        boolean interrupted = false;
        for (Thread reader : readers) {
            while (reader.isAlive()) {
                try {
                    reader.join();
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void readAside() {
        try {
            read(bytes -> {});
        } catch (RuntimeException | Error e) {
            fail(e);
        }
    }

    private void read(Watch watch) {
        try (Memory memory = new Memory(CHUNK + SignatureRegions.ALIGNMENT)) {
            Memory aligned = memory.align(SignatureRegions.ALIGNMENT);
            ByteBuffer content = aligned.getByteBuffer(0, CHUNK);
            for (Region chunk = next(); chunk != null; chunk = next()) {
                read(chunk, aligned, content);
                watch.read(bytesRead());
            }
        }
    }

    private void read(Region chunk, Memory memory, ByteBuffer content) {
        long at = chunk.from();
        while (at < chunk.to()) {
            int length = kernel.read(device, memory, chunk.to() - at, at);
            if (length <= 0) {
                throw new SyscallException(Errno.EIO.number(), "pread at " + at + ", where the device ends");
            }
            int different =
                    content.duplicate().limit(length).mismatch(ZEROS.duplicate().limit(length));
            if (different >= 0) {
                found(at + different);
                return;
            }
            at += length;
        }
        count(chunk.length());
    }

    /** The next part to read; null if none is left, a byte was found or a read failed. */
    private synchronized @Nullable Region next() {
        if (failure != null || firstNonZero != NONE) {
            return null;
        }
        Region from = rest;
        if (from == null) {
            if (!regions.hasNext()) {
                return null;
            }
            from = regions.next();
        }
        long end = Math.min(from.to(), from.from() + CHUNK);
        rest = end < from.to() ? new Region(end, from.to()) : null;
        return new Region(from.from(), end);
    }

    private synchronized void stop() {
        rest = null;
        while (regions.hasNext()) {
            regions.next();
        }
    }

    private synchronized void count(long bytes) {
        done += bytes;
    }

    private synchronized long bytesRead() {
        return done;
    }

    private synchronized OptionalLong found() {
        return firstNonZero == NONE ? OptionalLong.empty() : OptionalLong.of(firstNonZero);
    }

    private synchronized void found(long offset) {
        firstNonZero = Math.min(firstNonZero, offset);
    }

    private synchronized void fail(Throwable reason) {
        if (failure == null) {
            failure = reason;
        }
    }

    private synchronized void rethrow() {
        if (failure instanceof Error error) {
            throw error;
        }
        if (failure instanceof RuntimeException exception) {
            throw exception;
        }
    }
}
