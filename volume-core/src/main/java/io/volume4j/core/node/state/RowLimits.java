package io.volume4j.core.node.state;

import io.volume4j.spi.VolumeException;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.plugin.Attacher.AttachResult;
import java.util.Map;

/**
 * The limits of a journal row. Any user may have written the names in objects, and any driver may return long answers.
 * The node refuses a value that is too long when it arrives, before an effect that the journal could not record.
 */
public final class RowLimits {
    /** A text in a row has at most 65,535 bytes, and a char needs at most three. */
    static final int MOST_CHARS = 16 * 1024;

    private RowLimits() {}

    public static boolean fits(String name) {
        return name.length() <= MOST_CHARS;
    }

    /**
     * Returns the answer if the part that the node must store fits.
     *
     * @throws VolumeException transient, if it does not fit: another version of the driver may return less
     */
    public static AttachResult requireFitting(VolumeId id, AttachResult answer) {
        long chars = answer.devicePath().length();
        for (Map.Entry<String, String> entry : answer.metadata().entrySet()) {
            chars += entry.getKey().length() + entry.getValue().length();
        }
        if (chars > MOST_CHARS) {
            throw VolumeException.transientFailure("the attachment of volume " + id.name() + " comes with " + chars
                            + " characters to remember, and at most " + MOST_CHARS + " can be")
                    .withAdvice("the driver's publish context is too large: CSI allows 4 KiB");
        }
        return answer;
    }
}
