package io.volume4j.core.control.attach;

import io.volume4j.spi.FailureKind;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.model.VolumeAttachment;
import io.volume4j.spi.plugin.Attacher.AttachResult;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What calls for VolumeAttachments ended with, as long as the records do not say so themselves. Can be lost with the
 * process: the calls are made again. Loop thread only.
 */
final class CallResults {
    private final Map<String, Entry> byUid = new HashMap<>();

    /** What is known of one record beside what it says. */
    static final class Entry {
        @Nullable
        AttachResult result;

        boolean detached;
        boolean lost;
        String error = "";

        /** Whether the last failure was for want of room. */
        boolean exhausted;

        void failed(VolumeException failure) {
            error = failure.getMessage();
            exhausted = failure.kind() == FailureKind.EXHAUSTED;
        }

        void succeeded() {
            error = "";
            exhausted = false;
        }

        /** The error that the record does not show yet, in the place for errors of what is done with it now; {@code ""} for none. */
        String errorBeside(VolumeAttachment record) {
            VolumeAttachment.@Nullable Failure shown = record.metadata().deleting()
                    ? record.status().detachError()
                    : record.status().attachError();
            boolean told = shown != null && shown.message().equals(error) && shown.exhausted() == exhausted;
            return told ? "" : error;
        }
    }

    /** What is known of the record with this UID, null for nothing. */
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
