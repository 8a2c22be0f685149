package io.volume4j.core.linux.mount;

import io.volume4j.spi.mount.MountEntry;

/**
 * A mount as the table read it last. Its place never changes: a moved mount gets another record. Its options may be read
 * again, because the kernel names no mount when options change. Thread-safe.
 */
final class MountRecord {
    /** Looks at a mount again. */
    interface Look {
        /** How the mount is now, or the given entry if nothing can be told of it any more. */
        MountEntry again(long number, MountEntry last);
    }

    private record Seen(MountEntry entry, long generation) {}

    private final long number;
    private volatile Seen seen;

    /**
     * @param number never given to another mount, and larger than those of all mounts that were made before
     * @param generation how often anything had changed when the mount was looked at
     */
    MountRecord(long number, MountEntry entry, long generation) {
        this.number = number;
        this.seen = new Seen(entry, generation);
    }

    long number() {
        return number;
    }

    /** As it was seen last: right in everything but the options. */
    MountEntry entry() {
        return seen.entry;
    }

    /** With the options that it has or had after that generation began. */
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
