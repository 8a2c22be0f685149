package io.volume4j.inmemory.cluster;

import io.volume4j.spi.host.ClusterException;
import io.volume4j.spi.host.ClusterException.Reason;
import io.volume4j.spi.host.Patch;
import io.volume4j.spi.host.Patch.FieldChange;
import io.volume4j.spi.host.Preconditions;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.ObjectMeta;
import java.util.List;
import java.util.function.Supplier;

/** What a store takes from whom, as an API server rules it. */
final class PatchRules {
    private static final List<String> STORES_OWN = List.of(
            "name", "namespace", "uid", "resourceVersion", "generation", "creationTimestamp", "deletionTimestamp");

    private PatchRules() {}

    /** @param what the request in words, made for a refusal only */
    static void requireHeld(Supplier<String> what, Preconditions wanted, ObjectMeta actual) {
        if (!wanted.uid().isEmpty() && !wanted.uid().equals(actual.uid())) {
            throw new ClusterException(
                    Reason.CONFLICT,
                    what.get() + ": the object has UID " + actual.uid() + ", expected was " + wanted.uid());
        }
        if (!wanted.resourceVersion().isEmpty() && !wanted.resourceVersion().equals(actual.resourceVersion())) {
            throw new ClusterException(
                    Reason.CONFLICT,
                    what.get() + ": the object is at revision " + actual.resourceVersion() + ", expected was "
                            + wanted.resourceVersion());
        }
    }

    static void requireAllowed(Supplier<String> what, Patch patch) {
        for (FieldChange change : patch.changes()) {
            String first = change.path().get(0);
            if (first.equals("status") != patch.status()) {
                throw new ClusterException(
                        Reason.INVALID,
                        what.get() + ": " + change.path() + " cannot be changed together with "
                                + (patch.status() ? "the status" : "the rest"));
            }
            if (first.equals("apiVersion")
                    || first.equals("kind")
                    || (first.equals("metadata")
                            && (change.path().size() == 1
                                    || STORES_OWN.contains(change.path().get(1))))) {
                throw new ClusterException(
                        Reason.INVALID, what.get() + ": " + change.path() + " is not the caller's to change");
            }
        }
    }

    /** Names are the codec's to judge; where an object lives is ours. */
    static void requireNamespace(String what, ApiObject object) {
        if (object.kind().namespaced() && object.metadata().namespace().isEmpty()) {
            throw new ClusterException(
                    Reason.INVALID, what + ": a " + object.kind().apiName() + " lives in a namespace");
        }
    }

    static ClusterException notFound(String what, ObjectKey key) {
        return new ClusterException(Reason.NOT_FOUND, what + ": there is no " + key);
    }
}
