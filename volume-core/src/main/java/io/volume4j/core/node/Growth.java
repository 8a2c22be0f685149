package io.volume4j.core.node;

/**
 * The size of a volume on this node, and the state of its expansion. Part of the volume's row, so that a restart
 * continues the expansion.
 * @param bytes the current size on this node, 0 if unknown
 * @param target the size of an expansion that may have begun, 0 for none
 * @param refused the size that the plugin has refused permanently, 0 for none
 * @param why the plugin's reason for the refusal, {@code ""} for none
 */
public record Growth(long bytes, long target, long refused, String why) {
    private static final Growth UNKNOWN = new Growth(0, 0, 0, "");

    public static Growth unknown() {
        return UNKNOWN;
    }

    /** Sets the size from the claim when the volume is first used here. A known size stays. */
    public Growth startingAt(long size) {
        return bytes > 0 || size <= 0 ? this : new Growth(size, target, refused, why);
    }

    /** The expansion had no effect, and may succeed later. */
    Growth notDone() {
        return new Growth(bytes, 0, refused, why);
    }

    /** The control plane requests the expansion again. */
    public Growth askedAgain() {
        return new Growth(bytes, target, 0, "");
    }

    public Growth begun(long to) {
        return new Growth(bytes, to, refused, why);
    }

    public Growth grown(long size) {
        return new Growth(Math.max(bytes, size), 0, 0, "");
    }

    /** The plugin refused this size permanently. Other sizes are not affected. */
    public Growth refused(long size, String reason) {
        return new Growth(bytes, 0, size, reason);
    }
}
