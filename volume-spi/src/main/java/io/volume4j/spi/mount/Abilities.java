package io.volume4j.spi.mount;

import java.util.Collections;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * The rights and abilities of a backend.
 *
 * @param mayMount whether this process has the right to mount
 * @param reason why not, {@code ""} if it may
 * @param filesystems filesystems that the kernel supports now or can load a module for
 * @param formats filesystems whose mkfs program is installed
 * @since 0.1.0
 */
public record Abilities(boolean mayMount, String reason, SortedSet<String> filesystems, SortedSet<String> formats) {
    public Abilities {
        filesystems = Collections.unmodifiableSortedSet(new TreeSet<>(filesystems));
        formats = Collections.unmodifiableSortedSet(new TreeSet<>(formats));
    }
}
