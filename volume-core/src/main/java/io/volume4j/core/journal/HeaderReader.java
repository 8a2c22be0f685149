package io.volume4j.core.journal;

import io.volume4j.core.journal.JournalException.Kind;
import io.volume4j.core.journal.JournalHeader.Condition;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The header, from its two copies.
 *
 * @param repaired true if one copy is damaged; a compaction writes both anew
 */
record HeaderReader(JournalHeader header, boolean repaired) {

    /** @throws JournalException {@link Kind#NEWER_FORMAT} or {@link Kind#UNREADABLE} */
    static HeaderReader read(FileWindow window, String path) throws IOException {
        JournalHeader header = null;
        int damaged = 0;
        for (int copy = 0; copy < JournalFormat.HEADER_COPIES; copy++) {
            ByteBuffer bytes = copyAt(window, (long) copy * JournalFormat.HEADER_BYTES);
            Condition condition = bytes == null ? Condition.DAMAGED : JournalHeader.conditionOf(bytes);
            if (condition == Condition.NEWER && bytes != null) {
                throw new JournalException(
                        Kind.NEWER_FORMAT,
                        "journal " + path + " has format version " + JournalHeader.versionOf(bytes)
                                + ", this library reads up to " + JournalFormat.VERSION,
                        "start the newer version of the library again, or drain the node and remove the journal");
            }
            if (condition == Condition.DAMAGED || bytes == null) {
                damaged++;
            } else if (header == null) {
                header = JournalHeader.decode(bytes);
            }
        }
        if (header == null) {
            throw new JournalException(
                    Kind.UNREADABLE,
                    "journal " + path + " is not a journal, or both copies of its header are destroyed",
                    "look at the disk; to start without it, move the file away: every volume of this node is then in doubt");
        }
        return new HeaderReader(header, damaged > 0);
    }

    private static @Nullable ByteBuffer copyAt(FileWindow window, long offset) throws IOException {
        if (window.size() < offset + JournalFormat.HEADER_BYTES) {
            return null;
        }
        int at = window.require(offset, JournalFormat.HEADER_BYTES);
        return window.bytes().slice(at, JournalFormat.HEADER_BYTES);
    }
}
