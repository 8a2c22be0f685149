package io.volume4j.core.control.snapshot;

import io.volume4j.core.control.host.LastEvents;
import io.volume4j.core.control.host.facts.Lookup;
import io.volume4j.core.control.host.lead.Self;
import io.volume4j.spi.model.ObjectKey;
import java.time.Instant;
import java.util.Map;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * The facts for the decision about a content.
 *
 * @param snapshot the content's snapshot, by UID
 * @param type the content's class
 * @param here whether a plugin of this process serves its driver
 * @param asks whether the plugin can report a snapshot's progress; otherwise the controller repeats the create call
 * @param groupContent of a member: the content of its group
 * @param other of a deleted content: another one with the same snapshot of the backend, which is not deleted or still serves a
 *     VolumeSnapshot
 * @param otherConfirmed whether the store said that the other one exists as it is known
 * @param more parameters of the call in addition to those of the class
 * @param intent the open intent, null for none
 * @param intentError why the annotation is not readable as an intent, {@code ""} if it is or there is none
 * @param leftUntil loop time until which a later leader may act on its intent, empty if this process need not wait
 * @param nanos loop time
 * @param now the time in messages for users
 */
public record ContentView(
        ContentFacts content,
        Lookup<SnapshotFacts> snapshot,
        Lookup<ClassFacts> type,
        boolean here,
        boolean asks,
        Lookup<ContentFacts> groupContent,
        Lookup<ContentFacts> other,
        boolean otherConfirmed,
        Map<String, String> more,
        @Nullable SnapshotIntent intent,
        String intentError,
        SnapshotMemory memory,
        OptionalLong leftUntil,
        Self self,
        long nanos,
        Instant now,
        LastEvents told)
        implements SubjectView {

    public ObjectKey key() {
        return content.key();
    }

    boolean held() {
        return intent != null && intent.heldBy(self);
    }

    /** Whether an intent is open, readable or not, from us or from a sidecar that knows only the standard annotation. */
    boolean open() {
        return intent != null
                || !intentError.isEmpty()
                || content.annotated(content.words().beingCreated());
    }

    /** Whether the backend may have a snapshot that only the intent refers to. */
    boolean doubt() {
        return content.handle().isEmpty() && open() && !(intent != null && held() && !memory.doubt(intent));
    }
}
