package io.volume4j.core.node.state;

import io.volume4j.spi.VolumeException;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.plugin.Attacher.AttachResult;
import java.util.Map;

/**
 * What fits into a row of the journal. Names come from objects that any user may have written, and answers from drivers. The
 * node refuses what does not fit where it comes in, before anything is done that could not be remembered.
 */
public final class RowLimits {
    /** A text of a row has at most 65,535 bytes, and a char takes three at most. */
    static final int MOST_CHARS = 16 * 1024;

    private RowLimits() {}

    public static boolean fits(String name) {
        return name.length() <= MOST_CHARS;
    }

    /**
     * The answer, if what the node must remember of it fits.
     *
     * @throws VolumeException transient, otherwise: another version of the driver may say less
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
