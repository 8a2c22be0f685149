package io.volume4j.core.control.snapshot;

import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.PersistentVolumeClaim;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What must be known of a claim that others are made from.
 *
 * @param cutBy snapshots that are being made of it, by name; null if that is not this process' business or not known
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
