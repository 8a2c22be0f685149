package io.volume4j.core.linux.mount;

import io.volume4j.spi.mount.MountEntry;

/**
 * A mount as the table read it last. Its path never changes: a moved mount gets another record. Its options may be
 * read again, because the kernel reports no event when options change. Thread-safe.
 */
final class MountRecord {
    /** Reads a mount again. */
    interface Look {
        /** The present state of the mount, or the given entry if the mount cannot be read any more. */
        MountEntry again(long number, MountEntry last);
    }

    private record Seen(MountEntry entry, long generation) {}

    private final long number;
    private volatile Seen seen;

    /**
     * @param number never reused, and larger than those of all earlier mounts
     * @param generation the generation in which the mount was read
     */
    MountRecord(long number, MountEntry entry, long generation) {
        this.number = number;
        this.seen = new Seen(entry, generation);
    }

    long number() {
        return number;
    }

    /** The last reading: correct except for the options. */
    MountEntry entry() {
        return seen.entry;
    }

    /** The entry with options that were read in that generation or later. */
    MountEntry entry(long generation, Look look) {
        Seen last = seen;
        if (last.generation >= generation) {
            return last.entry;
        }
        MountEntry now = look.again(number, last.entry);
        seen = new Seen(now, generation);
        return now;
    }
}
