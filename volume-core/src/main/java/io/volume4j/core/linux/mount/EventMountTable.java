package io.volume4j.core.linux.mount;

import io.volume4j.core.linux.sys.Descriptor;
import io.volume4j.core.linux.sys.Errno;
import io.volume4j.core.linux.sys.Failures;
import io.volume4j.core.linux.sys.Kernel;
import io.volume4j.core.linux.sys.MountQueries;
import io.volume4j.core.linux.sys.SyscallException;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.mount.MountEntry;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * The mount table, updated by the kernel's mount events. An event contains the number of a mount that was attached,
 * detached or moved, and the table reads that mount again. So the order and the delay of events do not matter: the
 * table stores the present state of that mount, and a later event corrects later changes. A detached mount is not read
 * again, because the kernel never reuses its number.
 *
 * <p>The kernel reports no event when options change; it only raises the flag of {@code mountinfo}. So a flag begins a
 * new generation, and the table reads a mount of an older generation again at the next query for it. The kernel raises
 * no flag when a directory above a mount point is renamed. If a query then finds the mount at another path, the table
 * reads all mounts again. It also does so after as many changes as there are mounts.
 *
 * <p>The caller must hold the lock of {@link SharedMountTable}, except for {@link #again}.
 */
final class EventMountTable implements MountRecord.Look, AutoCloseable {
    private static final int BUFFER = 4096;
    private static final int EVENT_HEADER = 24;
    private static final int EVENT_NUMBER = EVENT_HEADER + 8;
    private static final int EVENT_SIZE = EVENT_NUMBER + 8;
    private static final long QUEUE_OVERFLOW = 0x4000;
    private static final int FEWEST_CHANGES = 1000;

    private final Kernel kernel;
    private final MountQueries queries;
    private final Descriptor events;
    private final Map<Long, MountRecord> known = new HashMap<>();
    /** A query found a mount at another path than the table's. */
    private final AtomicBoolean doubted = new AtomicBoolean();

    private MountSnapshot current = MountSnapshot.EMPTY;
    /** An event was read and not applied: the table must read all mounts. */
    private boolean behind;

    private long generation;
    private long changes;
    private long readings;

    private EventMountTable(Kernel kernel, MountQueries queries, Descriptor events) {
        this.kernel = kernel;
        this.queries = queries;
        this.events = events;
    }

    /** Begins to follow events; null if the kernel does not support them, or refuses them to this process. */
    static @Nullable EventMountTable start(Kernel kernel) {
        MountQueries queries = new MountQueries(kernel);
        try {
            Descriptor events = queries.events();
            EventMountTable mounts = new EventMountTable(kernel, queries, events);
            try {
                mounts.lookAtAll();
                return mounts;
            } catch (SyscallException | VolumeException e) {
                events.close();
                return null;
            }
        } catch (SyscallException e) {
            return null;
        }
    }

    /** The table with every change that ended before the call. Returns the same object if there was none. */
    MountSnapshot read(Descriptor flag) {
        int raised = kernel.poll(flag, events);
        // The poll cleared the flag, so this comes before any statement that can fail.
        if ((raised & Kernel.MOUNTS_CHANGED) != 0) {
            generation++;
            current = current.asOf(generation, this);
        }
        Map<Long, Boolean> changed = (raised & Kernel.READABLE) != 0 ? changed() : Map.of();
        behind |= doubted.getAndSet(false);
        if (behind || changes > Math.max(FEWEST_CHANGES, known.size())) {
            lookAtAll();
        } else if (!changed.isEmpty()) {
            lookAt(changed);
        }
        return current;
    }

    /** The options of any mount may have changed without a flag. */
    void optionsChanged() {
        generation++;
        current = current.asOf(generation, this);
    }

    /** How often the table has read all mounts. */
    long readings() {
        return readings;
    }

    @Override
    public MountEntry again(long number, MountEntry last) {
        Optional<MountEntry> found = lookNow(number);
        if (found.isEmpty()) {
            return last;
        }
        MountEntry now = found.get();
        if (!now.mountPoint().equals(last.mountPoint())) {
            doubted.set(true);
        }
        return new MountEntry(
                last.id(),
                last.parentId(),
                last.majorMinor(),
                last.rootInFilesystem(),
                last.mountPoint(),
                now.options(),
                last.fsType(),
                last.source(),
                now.superOptions());
    }

    private Optional<MountEntry> lookNow(long number) {
        try {
            return queries.look(number);
        } catch (SyscallException e) {
            throw Failures.of(e);
        }
    }

    /** Reads which mounts changed, and whether they were detached. The kernel reports each event only once. */
    private Map<Long, Boolean> changed() {
        Map<Long, Boolean> numbers = new LinkedHashMap<>();
        boolean behindBefore = behind;
        behind = true;
        try {
            byte[] buffer = new byte[BUFFER];
            int length;
            do {
                length = kernel.read(events, buffer);
                ByteBuffer read = ByteBuffer.wrap(buffer, 0, length).order(ByteOrder.nativeOrder());
                for (int at = 0; at < length; at += read.getInt(at)) {
                    long what = read.getLong(at + 8);
                    if ((what & QUEUE_OVERFLOW) != 0) {
                        behindBefore = true;
                    } else {
                        numbers.put(read.getLong(at + EVENT_NUMBER), what == MountQueries.WENT);
                    }
                }
                // The buffer had room for one more event, so the kernel had no more.
            } while (length > BUFFER - EVENT_SIZE);
        } catch (SyscallException e) {
            if (!e.is(Errno.EAGAIN)) {
                throw e;
            }
        }
        behind = behindBefore;
        return numbers;
    }

    private void lookAtAll() {
        behind = true;
        readings++;
        changes = 0;
        known.clear();
        for (long number : queries.list()) {
            queries.look(number).ifPresent(entry -> known.put(number, new MountRecord(number, entry, generation)));
        }
        current = MountSnapshot.of(known.values()).asOf(generation, this);
        behind = false;
    }

    private void lookAt(Map<Long, Boolean> numbers) {
        behind = true;
        MountSnapshot next = current;
        Set<Path> places = new LinkedHashSet<>();
        for (Map.Entry<Long, Boolean> event : numbers.entrySet()) {
            long number = event.getKey();
            MountRecord before = known.get(number);
            Optional<MountEntry> now = event.getValue() ? Optional.empty() : queries.look(number);
            if (before != null && now.isPresent() && movedWithOthers(before, now.get(), next)) {
                lookAtAll();
                return;
            }
            next = replace(next, number, before, now);
            if (before != null) {
                places.add(before.entry().mountPoint());
            }
            now.ifPresent(entry -> places.add(entry.mountPoint()));
        }
        // The order of stacked mounts at these paths may change, and the kernel reports no events for the others.
        for (Path place : places) {
            for (MountRecord other : next.mountsAt(place)) {
                if (!numbers.containsKey(other.number())) {
                    next = replace(next, other.number(), other, queries.look(other.number()));
                }
            }
        }
        changes += numbers.size();
        current = next;
        behind = false;
    }

    /** Mounts below a moved one move with it, without events of their own. */
    private static boolean movedWithOthers(MountRecord before, MountEntry now, MountSnapshot mounts) {
        Path place = before.entry().mountPoint();
        return !place.equals(now.mountPoint()) && mounts.below(place).size() > 1;
    }

    private MountSnapshot replace(
            MountSnapshot mounts, long number, @Nullable MountRecord before, Optional<MountEntry> now) {
        MountSnapshot without = before == null ? mounts : mounts.without(before);
        if (now.isEmpty()) {
            known.remove(number);
            return without;
        }
        MountRecord mount = new MountRecord(number, now.get(), generation);
        known.put(number, mount);
        return without.with(mount);
    }

    @Override
    public void close() {
        events.close();
    }
}
