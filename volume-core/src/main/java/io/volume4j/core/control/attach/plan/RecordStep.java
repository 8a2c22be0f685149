package io.volume4j.core.control.attach.plan;

import static io.volume4j.core.engine.ConflictKey.Scope.OBJECT;
import static io.volume4j.core.engine.ConflictKey.Scope.VOLUME;
import static io.volume4j.core.engine.ConflictKey.Scope.VOLUME_NODE;

import io.volume4j.core.engine.ConflictKey;
import io.volume4j.core.engine.Step;
import java.util.List;

/**
 * What carrying a VolumeAttachment out takes.
 *
 * @param record name of the VolumeAttachment, or of the PersistentVolume for {@link Kind#RELEASE_VOLUME}
 * @param uid of that object
 * @param revision against which a write holds
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
    /** The kinds of steps, with the words for them. */
    public enum Kind {
        /** Makes sure that the record stays until it is detached, and that no earlier process writes it any more. */
        CLAIM("take over the record of"),
        /** The volume may be on one node: makes sure that no other record of it is carried out. */
        RESERVE("reserve the object of"),
        ATTACH("attach"),
        RECORD_ATTACHED("record that attached is"),
        RECORD_ERROR("record why it failed for"),
        DETACH("detach"),
        /** Detached: lets the record go. */
        RELEASE("let go of the record of"),
        /** No record of the volume is left: lets its object go. */
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

    /** The record is the intent; it is durable before any step is planned. */
    @Override
    public boolean needsIntent() {
        return false;
    }

    /** Writing down a failure must not have the failed call made again at once. */
    @Override
    public boolean progress() {
        return kind != Kind.RECORD_ERROR;
    }

    @Override
    public String describe() {
        return kind.words + " volume " + volume + (node.isEmpty() ? "" : " on node " + node);
    }
}
