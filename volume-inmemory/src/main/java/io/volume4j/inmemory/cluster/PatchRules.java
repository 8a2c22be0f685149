package io.volume4j.inmemory.cluster;

import io.volume4j.spi.host.ClusterException;
import io.volume4j.spi.host.ClusterException.Reason;
import io.volume4j.spi.host.Patch;
import io.volume4j.spi.host.Preconditions;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.ObjectMeta;
import java.util.List;
import java.util.function.Supplier;

/** The rules of an API server for writes. */
final class PatchRules {
    private PatchRules() {}

    /** @param what the request in words; evaluated only for a refusal */
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
        patch.refusal().ifPresent(why -> {
            throw new ClusterException(Reason.INVALID, what.get() + ": " + why);
        });
    }

    /** @param problems that a server would refuse; see {@link io.volume4j.inmemory.schema.ObjectSchema#problems} */
    static void requireShape(Supplier<String> what, List<String> problems) {
        if (!problems.isEmpty()) {
            throw new ClusterException(Reason.INVALID, what.get() + ": " + String.join("; ", problems));
        }
    }

    /** The codec checks names; this class checks the namespace. */
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
