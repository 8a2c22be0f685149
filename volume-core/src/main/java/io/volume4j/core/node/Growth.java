package io.volume4j.core.node;

/**
 * How large a volume is on this node, and how far its growing is. Part of the volume's row, so that a restart goes on where
 * it was.
 *
 * @param bytes as large as it is here, 0 for not known
 * @param target to what an expansion that may have begun would bring it, 0 for none
 * @param refused the size that the plugin said it can never have here, 0 for none
 * @param why in the plugin's words, {@code ""} if nothing was refused
 */
public record Growth(long bytes, long target, long refused, String why) {
    private static final Growth UNKNOWN = new Growth(0, 0, 0, "");

    public static Growth unknown() {
        return UNKNOWN;
    }

    /** Known from the claim when the volume first came here; what is known already stays. */
    public Growth startingAt(long size) {
        return bytes > 0 || size <= 0 ? this : new Growth(size, target, refused, why);
    }

    /** It did nothing, and may do it another time. */
    Growth notDone() {
        return new Growth(bytes, 0, refused, why);
    }

    /** The control plane asks for it once more. */
    public Growth askedAgain() {
        return new Growth(bytes, target, 0, "");
    }

    public Growth begun(long to) {
        return new Growth(bytes, to, refused, why);
    }

    public Growth grown(long size) {
        return new Growth(Math.max(bytes, size), 0, 0, "");
    }

    /** The plugin will never do it; no other size is affected. */
    public Growth refused(long size, String reason) {
        return new Growth(bytes, 0, size, reason);
    }
}
