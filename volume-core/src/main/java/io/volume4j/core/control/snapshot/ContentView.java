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
 * What must be known to decide about a content.
 *
 * @param snapshot the one that it is for, by UID
 * @param type the class that it names
 * @param here whether a plugin of this process serves its driver
 * @param asks whether the plugin can be asked how far a snapshot is; otherwise it is cut again under its name
 * @param groupContent of a member: the content of its group
 * @param more parameters of the call beside those of the class
 * @param intent the open intent, null for none
 * @param intentError why the annotation cannot be read as an intent, {@code ""} if it can or there is none
 * @param leftUntil loop time until which the intent is left to the later leader that it tells of, empty if it is not
 * @param nanos loop time
 * @param now for people
 */
public record ContentView(
        ContentFacts content,
        Lookup<SnapshotFacts> snapshot,
        Lookup<ClassFacts> type,
        boolean here,
        boolean asks,
        Lookup<ContentFacts> groupContent,
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

    /** Whether an intent is open, readable or not, ours or that of a sidecar which knows only the agreed annotation. */
    boolean open() {
        return intent != null
                || !intentError.isEmpty()
                || content.annotated(content.words().beingCreated());
    }

    /** Whether the backend may keep something that only the intent tells of. */
    boolean doubt() {
        return content.handle().isEmpty() && open() && !(intent != null && held() && !memory.doubt(intent));
    }
}
