package io.volume4j.core.control.attach;

import io.volume4j.spi.FailureKind;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.model.VolumeAttachment;
import io.volume4j.spi.plugin.Attacher.AttachResult;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Outcomes of calls for VolumeAttachments that the records do not show yet. If the process dies, they are lost and the calls are
 * repeated. Loop thread only.
 */
final class CallResults {
    private final Map<String, Entry> byUid = new HashMap<>();

    /** The known facts about a record that are not in the record. */
    static final class Entry {
        @Nullable
        AttachResult result;

        boolean detached;
        boolean lost;
        String error = "";

        /** Whether the last failure was a lack of capacity. */
        boolean exhausted;

        void failed(VolumeException failure) {
            error = failure.getMessage();
            exhausted = failure.kind() == FailureKind.EXHAUSTED;
        }

        void succeeded() {
            error = "";
            exhausted = false;
        }

        /** The error that the record does not show yet in the error field for its current operation; {@code ""} for none. */
        String errorBeside(VolumeAttachment record) {
            VolumeAttachment.@Nullable Failure shown = record.metadata().deleting()
                    ? record.status().detachError()
                    : record.status().attachError();
            boolean told = shown != null && shown.message().equals(error) && shown.exhausted() == exhausted;
            return told ? "" : error;
        }
    }

    /** The facts about the record with this UID, null for none. */
    @Nullable
    Entry of(String uid) {
        return byUid.get(uid);
    }

    Entry require(String uid) {
        return byUid.computeIfAbsent(uid, key -> new Entry());
    }

    void forget(String uid) {
        byUid.remove(uid);
    }
}
