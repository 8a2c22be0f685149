package io.volume4j.core.control.snapshot;

import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.PersistentVolumeClaim;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The facts about a source claim.
 *
 * @param cutBy snapshots that are being created from it, by name; null if not known or not handled by this process
 * @param clonedBy claims that are being cloned from it, by name; null likewise
 */
public record SourceView(
        PersistentVolumeClaim claim,
        @Nullable List<String> cutBy,
        @Nullable List<String> clonedBy) implements SubjectView {
    public ObjectKey key() {
        return claim.key();
    }
}
