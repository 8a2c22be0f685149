package io.volume4j.core.control.host;

import io.volume4j.core.control.host.ClusterCalls.Written;
import io.volume4j.core.engine.Outcome;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.model.ObjectKey;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * Writes that the cluster accepted without keeping them. An API server drops fields that it does not know, or that a feature gate
 * hides. The object keeps its revision, so a planner would plan the same write again at once, and for ever. Loop thread only.
 */
final class UnkeptWrites {
    private static final List<String> FINALIZERS = List.of("metadata", "finalizers");

    private final Map<ObjectKey, ClusterWork.Write> unkept = new HashMap<>();

    /** Why the write is not sent again: the cluster has accepted the same one for the same revisions; empty to send it. */
    Optional<VolumeException> refusal(ObjectKey key, ClusterWork.Write write) {
        ClusterWork.Write accepted = unkept.get(key);
        if (accepted == null || !accepted.writes().equals(write.writes())) {
            return Optional.empty();
        }
        Set<String> fields = new LinkedHashSet<>();
        write.writes().forEach(each -> each.changes().forEach(change -> fields.add(String.join(".", change.path()))));
        return Optional.of(VolumeException.finalFailure("cannot " + write.describe() + ": the cluster accepted "
                        + String.join(", ", fields) + " and did not keep them")
                .withAdvice(
                        "its API server may be too old for these fields, or a feature gate may be off; it is tried again"
                                + " when the object changes"));
    }

    /** @param revisionNow the present revision of an object */
    void ended(
            ObjectKey key,
            ClusterWork.Write write,
            Outcome outcome,
            Function<ObjectKey, Optional<String>> revisionNow) {
        boolean changedNothing = outcome.succeeded()
                && outcome.value() == Written.DONE
                && !letsGo(write)
                && write.writes().stream()
                        .allMatch(each -> revisionNow.apply(each.key()).equals(Optional.of(each.revision())));
        if (changedNothing) {
            unkept.put(key, write);
        } else if (outcome.succeeded()) {
            unkept.remove(key);
        }
    }

    /** An API server answers a write that takes the last finalizer away with the object as it was before. */
    private static boolean letsGo(ClusterWork.Write write) {
        return write.writes().stream()
                .flatMap(each -> each.changes().stream())
                .anyMatch(change -> change.path().equals(FINALIZERS)
                        && (change.value() == null || List.of().equals(change.value())));
    }

    void forget(ObjectKey key) {
        unkept.remove(key);
    }
}
