package io.volume4j.core.control.host;

import io.volume4j.spi.VolumeException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Writes that the cluster accepts without keeping them. An API server drops fields that it does not know, or that a feature gate
 * hides, and returns the object with the revision that it had. Such a write counts as refused and is tried again like any other
 * refused write: after a pause, which grows.
 */
final class UnkeptWrites {
    private static final List<String> FINALIZERS = List.of("metadata", "finalizers");

    private UnkeptWrites() {}

    /** An API server answers a write that takes the last finalizer away with the object as it was before. */
    static boolean mayChangeNothing(ClusterWork.Write write) {
        return write.writes().stream()
                .flatMap(each -> each.changes().stream())
                .anyMatch(change -> change.path().equals(FINALIZERS)
                        && (change.value() == null || List.of().equals(change.value())));
    }

    static VolumeException failure(ClusterWork.Write write) {
        Set<String> fields = new LinkedHashSet<>();
        write.writes().forEach(each -> each.changes().forEach(change -> fields.add(String.join(".", change.path()))));
        return VolumeException.finalFailure("cannot " + write.describe() + ": the cluster accepted "
                        + String.join(", ", fields) + " and did not keep them")
                .withAdvice("its API server may be too old for these fields, or a feature gate of it may be off");
    }
}
