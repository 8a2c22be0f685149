package io.volume4j.core.linux.sys;

import com.sun.jna.LastErrorException;
import io.volume4j.spi.mount.MountEntry;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.LongBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The system calls that read single mounts: listmount(2) and statmount(2), and fanotify(7) for attached and detached
 * mounts. A mount's number here is the one that the kernel never reuses. Thread-safe.
 */
public final class MountQueries {
    /** The event of a detached mount. */
    public static final long WENT = 0x200_0000;

    private static final long SYS_STATMOUNT = 457;
    private static final long SYS_LISTMOUNT = 458;
    private static final long FAN_CLOEXEC = 1;
    private static final long FAN_NONBLOCK = 2;
    private static final long FAN_REPORT_MNT = 0x4000;
    private static final long FAN_MARK_ADD = 1;
    private static final long FAN_MARK_MNTNS = 0x110;
    private static final long FAN_MNT_ATTACH = 0x100_0000;
    private static final long LSMT_ROOT = -1;
    private static final Path NAMESPACE = Path.of("/proc/self/ns/mnt");
    private static final int REQUEST_SIZE = 24;
    private static final int LISTED_AT_ONCE = 1024;
    private static final int USUAL_SIZE = 1024;
    private static final int LARGEST_SIZE = 1 << 20;

    private final Kernel kernel;

    public MountQueries(Kernel kernel) {
        this.kernel = kernel;
    }

    /**
     * A descriptor for non-blocking reads of events: which mounts of this namespace were attached, detached or moved.
     */
    public Descriptor events() {
        Architecture numbers = kernel.architecture();
        try (Descriptor namespace = kernel.open(NAMESPACE, Kernel.O_RDONLY)) {
            long how = FAN_REPORT_MNT | FAN_CLOEXEC | FAN_NONBLOCK;
            Descriptor events = new Descriptor(kernel, (int) LibC.syscall(numbers.fanotifyInit, how, 0, 0, 0, 0));
            try {
                long mark = FAN_MARK_ADD | FAN_MARK_MNTNS;
                long what = FAN_MNT_ATTACH | WENT;
                LibC.syscall(numbers.fanotifyMark, events.number(), mark, what, namespace.number(), 0);
                return events;
            } catch (LastErrorException e) {
                events.close();
                throw e;
            }
        } catch (LastErrorException e) {
            throw Kernel.failed(e, "fanotify of " + NAMESPACE);
        }
    }

    /** The numbers of all mounts that this process can reach, in ascending order; listmount(2). */
    public List<Long> list() {
        List<Long> numbers = new ArrayList<>();
        byte[] found = new byte[LISTED_AT_ONCE * Long.BYTES];
        long last = 0;
        while (true) {
            int count;
            try {
                count = (int) LibC.syscall(SYS_LISTMOUNT, request(LSMT_ROOT, last), found, LISTED_AT_ONCE, 0);
            } catch (LastErrorException e) {
                throw Kernel.failed(e, "listmount");
            }
            LongBuffer each =
                    ByteBuffer.wrap(found).order(ByteOrder.nativeOrder()).asLongBuffer();
            for (int i = 0; i < count; i++) {
                last = each.get(i);
                numbers.add(last);
            }
            if (count < LISTED_AT_ONCE) {
                return numbers;
            }
        }
    }

    /** The mount; empty if it no longer exists or this process cannot reach it. */
    public Optional<MountEntry> look(long number) {
        byte[] request = request(number, MountStatus.WANTED);
        for (int size = USUAL_SIZE; ; size *= 4) {
            byte[] status = new byte[size];
            try {
                LibC.syscall(SYS_STATMOUNT, request, status, status.length, 0);
                return MountStatus.decode(status);
            } catch (LastErrorException e) {
                Errno reason = Errno.of(e.getErrorCode());
                if (reason == Errno.ENOENT) {
                    return Optional.empty();
                }
                if (reason != Errno.EOVERFLOW || size >= LARGEST_SIZE) {
                    throw Kernel.failed(e, "statmount");
                }
            }
        }
    }

    /** {@code struct mnt_id_req}. */
    private static byte[] request(long number, long parameter) {
        return ByteBuffer.allocate(REQUEST_SIZE)
                .order(ByteOrder.nativeOrder())
                .putInt(REQUEST_SIZE)
                .putInt(0)
                .putLong(number)
                .putLong(parameter)
                .array();
    }
}
