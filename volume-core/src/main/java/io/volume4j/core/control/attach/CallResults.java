package io.volume4j.core.control.attach;

import io.volume4j.core.report.ServerText;
import io.volume4j.spi.FailureKind;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.VolumeAttachment;
import io.volume4j.spi.plugin.Attacher.AttachResult;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
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

        /** Whether the store has accepted the error. API servers before Kubernetes 1.34 store it without its code. */
        private boolean accepted;

        void failed(VolumeException failure) {
            fail(ServerText.message(failure.getMessage()), failure.kind() == FailureKind.EXHAUSTED);
        }

        void succeeded() {
            fail("", false);
        }

        private void fail(String newError, boolean newExhausted) {
            accepted = accepted && newError.equals(error) && newExhausted == exhausted;
            error = newError;
            exhausted = newExhausted;
        }

        /** The store has accepted the error with this message. */
        void recorded(String message) {
            accepted = message.equals(error);
        }

        /** The error that the record does not show yet in the error field for its current operation; {@code ""} for none. */
        String errorBeside(VolumeAttachment record) {
            VolumeAttachment.@Nullable Failure shown = record.metadata().deleting()
                    ? record.status().detachError()
                    : record.status().attachError();
            boolean told =
                    shown != null && shown.message().equals(error) && (accepted || shown.exhausted() == exhausted);
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

    /** The store has accepted the error of the record with this message. */
    void recorded(String uid, String message) {
        Entry known = byUid.get(uid);
        if (known != null) {
            known.recorded(message);
        }
    }

    /** A call ended after its record was removed: no later change of the record would remove the facts. */
    void forgetIfGone(Optional<ApiObject> current, String uid) {
        if (current.filter(record -> record.metadata().uid().equals(uid)).isEmpty()) {
            forget(uid);
        }
    }

    void forget(String uid) {
        byUid.remove(uid);
    }
}
