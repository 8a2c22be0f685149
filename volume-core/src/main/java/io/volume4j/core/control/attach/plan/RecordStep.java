package io.volume4j.core.control.attach.plan;

import static io.volume4j.core.engine.ConflictKey.Scope.OBJECT;
import static io.volume4j.core.engine.ConflictKey.Scope.VOLUME;
import static io.volume4j.core.engine.ConflictKey.Scope.VOLUME_NODE;

import io.volume4j.core.engine.ConflictKey;
import io.volume4j.core.engine.Step;
import java.util.List;

/**
 * A step in carrying out a VolumeAttachment.
 *
 * @param record name of the VolumeAttachment, or of the PersistentVolume for {@link Kind#RELEASE_VOLUME}
 * @param uid of that object
 * @param revision that the object must still have for a write
 * @param volume the text of the volume's id
 * @param oneNodeOnly whether calls for any node exclude each other
 * @param detail the error to be recorded, {@code ""} for other steps
 */
public record RecordStep(
        Kind kind,
        String record,
        String uid,
        String revision,
        String volume,
        String node,
        boolean oneNodeOnly,
        String detail)
        implements Step {
    /** The kinds of steps, with their words in messages. */
    public enum Kind {
        /** Keeps the record until the volume is detached, and makes later writes of an earlier process fail. */
        CLAIM("take over the record of"),
        /** For a volume that may be on one node only: makes sure that no other record of it is carried out. */
        RESERVE("reserve the object of"),
        ATTACH("attach"),
        RECORD_ATTACHED("record that attached is"),
        RECORD_ERROR("record why it failed for"),
        DETACH("detach"),
        /** After the detach: removes the finalizer of the record. */
        RELEASE("let go of the record of"),
        /** No record of the volume is left: removes the finalizer of its object. */
        RELEASE_VOLUME("let go of");

        private final String words;

        Kind(String words) {
            this.words = words;
        }
    }

    @Override
    public List<ConflictKey> conflictKeys() {
        if (kind != Kind.ATTACH && kind != Kind.DETACH) {
            return List.of(ConflictKey.exclusive(OBJECT, record));
        }
        return oneNodeOnly
                ? List.of(ConflictKey.exclusive(VOLUME, volume))
                : List.of(ConflictKey.exclusive(VOLUME_NODE, volume, node));
    }

    /** The record is the intent. It is durable before the planner plans any step. */
    @Override
    public boolean needsIntent() {
        return false;
    }

    /** Recording a failure must not repeat the failed call at once. */
    @Override
    public boolean progress() {
        return kind != Kind.RECORD_ERROR;
    }

    @Override
    public String describe() {
        return kind.words + " volume " + volume + (node.isEmpty() ? "" : " on node " + node);
    }
}
