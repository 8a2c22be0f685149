package io.volume4j.core.linux.sys;

import io.volume4j.spi.VolumeException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** Rights of a process besides being root; capabilities(7). */
public enum Capability {
    /** To mount, and for most operations on devices. */
    CAP_SYS_ADMIN(21),
    /** To expand a mounted ext filesystem. */
    CAP_SYS_RESOURCE(24);

    private static final Path STATUS = Path.of("/proc/self/status");

    private final int bit;

    Capability(int bit) {
        this.bit = bit;
    }

    /** Whether this process may use the right now. */
    public boolean isEffective() {
        try {
            for (String line : Files.readAllLines(STATUS, StandardCharsets.ISO_8859_1)) {
                if (line.startsWith("CapEff:")) {
                    long set = Long.parseUnsignedLong(
                            line.substring("CapEff:".length()).trim(), 16);
                    return (set >>> bit & 1) == 1;
                }
            }
            return false;
        } catch (IOException e) {
            throw VolumeException.transientFailure("cannot read " + STATUS + ": " + e.getMessage());
        }
    }
}
