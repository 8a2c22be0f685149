package io.volume4j.core.linux;

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
 * The mount table, kept by looking at those mounts only of which the kernel says that they came, went or moved. An event
 * is a reason to look at one mount again, so it does not matter in which order events come, nor that they run behind: what
 * the kernel tells of that mount now is what is taken over, and a later event repairs what changed since. Only of one that
 * went there is nothing to look at: it never comes back under its number.
 *
 * <p>The kernel names nobody when options change, it only raises the flag of {@code mountinfo}. So a flag begins a new
 * generation, and what was looked at in an older one is looked at again when somebody asks for it. It says nothing at all
 * when a directory above a mount point is renamed: whoever looks at such a mount finds it elsewhere, and everything is
 * looked at anew; and so it is now and then without a reason, after as many changes as there are mounts.
 *
 * <p>Belongs to whoever holds the lock of {@link SharedMountTable}, but for {@link #again}.
 */
final class FollowedMounts implements KnownMount.Look, AutoCloseable {
    private static final int BUFFER = 4096;
    private static final int EVENT_HEADER = 24;
    private static final int EVENT_NUMBER = EVENT_HEADER + 8;
    private static final int EVENT_SIZE = EVENT_NUMBER + 8;
    private static final long QUEUE_OVERFLOW = 0x4000;
    private static final int FEWEST_CHANGES = 1000;

    private final Kernel kernel;
    private final MountQueries queries;
    private final Descriptor events;
    private final Map<Long, KnownMount> known = new HashMap<>();
    /** Somebody found a mount elsewhere than it is known to be. */
    private final AtomicBoolean doubted = new AtomicBoolean();

    private MountSnapshot current = MountSnapshot.EMPTY;
    /** Something was told and is not taken over: only looking at everything helps. */
    private boolean behind;

    private long generation;
    private long changes;
    private long readings;

    private FollowedMounts(Kernel kernel, MountQueries queries, Descriptor events) {
        this.kernel = kernel;
        this.queries = queries;
        this.events = events;
    }

    /** Follows from now on; null where the kernel cannot, or does not let this process. */
    static @Nullable FollowedMounts start(Kernel kernel) {
        MountQueries queries = new MountQueries(kernel);
        try {
            Descriptor events = queries.events();
            FollowedMounts mounts = new FollowedMounts(kernel, queries, events);
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

    /** The table, with every change that ended before the call; the same as before if there was none. */
    MountSnapshot read(Descriptor flag) {
        int raised = kernel.poll(flag, events);
        // Asking took the flag down, so this comes before anything that can fail.
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

    /** How often everything was looked at. */
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

    /** Reads which mounts changed, and whether they went: what is read here is told by nobody again. */
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
                // One event more would have fitted: the kernel had no more.
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
            queries.look(number).ifPresent(entry -> known.put(number, new KnownMount(number, entry, generation)));
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
            KnownMount before = known.get(number);
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
        // Who covers whom can change for those that lie there already, and the kernel does not name them.
        for (Path place : places) {
            for (KnownMount other : next.mountsAt(place)) {
                if (!numbers.containsKey(other.number())) {
                    next = replace(next, other.number(), other, queries.look(other.number()));
                }
            }
        }
        changes += numbers.size();
        current = next;
        behind = false;
    }

    /** The mounts below a moved one move with it, and the kernel names none of them. */
    private static boolean movedWithOthers(KnownMount before, MountEntry now, MountSnapshot mounts) {
        Path place = before.entry().mountPoint();
        return !place.equals(now.mountPoint()) && mounts.below(place).size() > 1;
    }

    private MountSnapshot replace(
            MountSnapshot mounts, long number, @Nullable KnownMount before, Optional<MountEntry> now) {
        MountSnapshot without = before == null ? mounts : mounts.without(before);
        if (now.isEmpty()) {
            known.remove(number);
            return without;
        }
        KnownMount mount = new KnownMount(number, now.get(), generation);
        known.put(number, mount);
        return without.with(mount);
    }

    @Override
    public void close() {
        events.close();
    }
}
