package io.volume4j.core.linux;

import io.volume4j.spi.mount.MountEntry;

/**
 * A mount as it was seen last. Where it is stays as it is here, a moved mount is another one of these; its options may be
 * looked at again, because the kernel names nobody when they change. Thread-safe.
 */
final class KnownMount {
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
    KnownMount(long number, MountEntry entry, long generation) {
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
