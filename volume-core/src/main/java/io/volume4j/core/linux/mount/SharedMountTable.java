package io.volume4j.core.linux.mount;

import io.volume4j.core.linux.sys.Descriptor;
import io.volume4j.core.linux.sys.Failures;
import io.volume4j.core.linux.sys.Kernel;
import io.volume4j.core.linux.sys.SyscallException;
import io.volume4j.spi.VolumeException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The mount table that all callers share. The kernel raises a flag on an open {@code mountinfo} when a mount of the
 * namespace changes, whichever process changed it. The cost of a check does not depend on the number of mounts. After
 * a change the table reads only the changed mounts, see {@link EventMountTable}. If the kernel does not report which
 * ones changed, it reads the whole table again, once for all waiting callers. It repeats a reading during which
 * another change happened, because kernels before 5.8 can omit a mount while others are unmounted. Thread-safe.
 *
 * <p>The kernel raises no flag when a directory above a mount point is renamed, although that changes the table. The
 * library never renames directories in its own layout. If a look-up fails for that reason, callers fail instead of
 * assuming that nothing is mounted.
 */
public final class SharedMountTable implements AutoCloseable {
    private static final Path MOUNT_INFO = Path.of("/proc/self/mountinfo");
    private static final int READINGS_TRIED = 5;

    private final Kernel kernel;
    private final ReentrantLock lock = new ReentrantLock();

    // Guarded by the lock.
    private @Nullable Descriptor flag;
    private @Nullable MountSnapshot current;
    private @Nullable EventMountTable followed;
    private boolean mayFollow;
    private boolean closed;
    private long readings;

    public SharedMountTable(Kernel kernel) {
        this.kernel = kernel;
        this.mayFollow = kernel.features().mountEvents();
    }

    /** The table with every change that ended before the call. */
    public MountSnapshot read() {
        lock.lock();
        try {
            Descriptor raised = flag();
            EventMountTable mounts = followed();
            if (mounts != null) {
                return mounts.read(raised);
            }
            // The check clears the flag: until a reading succeeds, no table is current.
            MountSnapshot known = current;
            current = null;
            if (known == null || kernel.changed(raised)) {
                return readAgain(raised);
            }
            current = known;
            return known;
        } catch (SyscallException e) {
            throw Failures.of(e);
        } finally {
            lock.unlock();
        }
    }

    /** Options of a mounted filesystem changed: the kernel raises no flag for that. */
    void optionsChanged() {
        lock.lock();
        try {
            current = null;
            if (followed != null) {
                followed.optionsChanged();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Whether the table applies single changes, which needs a kernel with mount events. */
    boolean follows() {
        lock.lock();
        try {
            return followed() != null;
        } finally {
            lock.unlock();
        }
    }

    /** How often the whole table was read from the kernel. */
    long readings() {
        lock.lock();
        try {
            return followed == null ? readings : followed.readings();
        } finally {
            lock.unlock();
        }
    }

    private Descriptor flag() {
        if (closed) {
            throw new IllegalStateException("the mount backend is closed");
        }
        Descriptor raised = flag;
        if (raised == null) {
            raised = kernel.open(MOUNT_INFO, Kernel.O_RDONLY);
            flag = raised;
        }
        return raised;
    }

    private @Nullable EventMountTable followed() {
        if (mayFollow && followed == null) {
            followed = EventMountTable.start(kernel);
            mayFollow = followed != null;
        }
        return followed;
    }

    private MountSnapshot readAgain(Descriptor raised) {
        byte[] table = readWhole();
        boolean overtaken = kernel.changed(raised);
        for (int i = 1; overtaken && i < READINGS_TRIED; i++) {
            table = readWhole();
            overtaken = kernel.changed(raised);
        }
        MountSnapshot snapshot = MountSnapshot.ofTable(MountInfoParser.parse(table));
        if (!overtaken) {
            current = snapshot;
        }
        return snapshot;
    }

    private byte[] readWhole() {
        readings++;
        try {
            return Files.readAllBytes(MOUNT_INFO);
        } catch (IOException e) {
            throw VolumeException.transientFailure("cannot read " + MOUNT_INFO + ": " + e.getMessage());
        }
    }

    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            current = null;
            if (followed != null) {
                followed.close();
                followed = null;
                mayFollow = false;
            }
            if (flag != null) {
                flag.close();
                flag = null;
            }
        } finally {
            lock.unlock();
        }
    }
}
