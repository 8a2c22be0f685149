package io.volume4j.core.journal;

import static java.util.Objects.requireNonNull;

import io.volume4j.spi.FailureKind;
import io.volume4j.spi.VolumeException;
import org.jspecify.annotations.Nullable;

/** A failure of the journal, with advice. The message is one line and contains no payload. */
public final class JournalException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** The kinds of failures that an owner must distinguish. */
    public enum Kind {
        /** More records or bytes wait for the disk than the configured bound. Nothing was written. */
        QUEUE_FULL,
        /** The payload is larger than the configured bound. Nothing was written. */
        RECORD_TOO_LARGE,
        /** The disk is full, or the journal has reached its own bound. Nothing was written. */
        NO_SPACE,
        /** A write or sync failed, or has failed before; only a compaction makes the journal durable again. */
        NOT_DURABLE,
        /** The owner requested a compaction while another is under way. */
        COMPACTION_RUNNING,
        /** There is no thread that could write. Nothing was written. */
        NO_THREAD,
        /** The owner's snapshot could not be iterated. The old file stays in force. */
        SNAPSHOT_FAILED,
        /** The journal was closed before the disk had acknowledged. */
        CLOSED,
        /** Another process, or another owner in this one, has the root open. */
        LOCKED,
        /** Written by a newer version of the library. */
        NEWER_FORMAT,
        /** Not a journal, or both copies of its header are destroyed. */
        UNREADABLE,
        /** The journal belongs to another node. */
        WRONG_NODE,
        /** The journal belongs to another root directory. */
        WRONG_ROOT,
        /** Any other refusal of the file system. */
        IO
    }

    private final Kind kind;
    private final String what;
    private final String advice;

    /**
     * @param what one line: the action, its object, and the failure
     * @param advice one line: what a user can do
     */
    public JournalException(Kind kind, String what, String advice) {
        this(kind, what, advice, null);
    }

    public JournalException(Kind kind, String what, String advice, @Nullable Throwable cause) {
        super(what + "; " + advice, cause);
        this.kind = requireNonNull(kind, "kind");
        this.what = requireNonNull(what, "what");
        this.advice = requireNonNull(advice, "advice");
    }

    public Kind kind() {
        return kind;
    }

    /** What a user can do; the message ends with it. */
    public String advice() {
        return advice;
    }

    /** The failure of a call whose intent could not be journaled: the call was not sent, so nothing happened. */
    public VolumeException asVolumeException() {
        FailureKind meaning = switch (kind) {
            case NO_SPACE -> FailureKind.EXHAUSTED;
            case RECORD_TOO_LARGE, NEWER_FORMAT, UNREADABLE, WRONG_NODE, WRONG_ROOT -> FailureKind.FINAL;
            case QUEUE_FULL, NOT_DURABLE, COMPACTION_RUNNING, NO_THREAD, SNAPSHOT_FAILED, CLOSED, LOCKED, IO ->
                FailureKind.TRANSIENT;
        };
        return VolumeException.of(meaning, what).withAdvice(advice).withCause(this);
    }
}
