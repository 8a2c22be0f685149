package io.volume4j.core.plugins.common;

import io.volume4j.spi.mount.FilesystemMount;
import java.util.List;

/** The access mode among mount options, as {@code /etc/fstab} writes them. Pure. */
public final class AccessOptions {
    private AccessOptions() {}

    /** Whether they make a mount read-only: the last of {@code ro} and {@code rw} counts. */
    public static boolean onlyRead(List<String> options) {
        boolean onlyRead = false;
        for (String word : FilesystemMount.words(options)) {
            onlyRead = word.equals("ro") || (onlyRead && !word.equals("rw"));
        }
        return onlyRead;
    }
}
