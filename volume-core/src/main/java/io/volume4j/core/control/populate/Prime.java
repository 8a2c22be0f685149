package io.volume4j.core.control.populate;

import io.volume4j.spi.model.ClaimPhase;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.ObjectMeta;
import io.volume4j.spi.model.PersistentVolumeClaim;
import io.volume4j.spi.model.Unmodeled;
import io.volume4j.spi.model.WellKnown;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The prime claim: it has a volume while the volume is filled, in a namespace that users do not see. */
public final class Prime {
    /** On a prime claim: the UID of the claim for which its volume is. */
    public static final String LABEL = "volume4j.io/populates";

    /** On a prime claim: the key of that claim, to find it. */
    public static final String FOR_NAMESPACE = "volume4j.io/populates-namespace";

    public static final String FOR_NAME = "volume4j.io/populates-name";

    /** On a prime claim: the node for its volume. If the provisioner rejects the selected node, this annotation stays. */
    public static final String FOR_NODE = "volume4j.io/populates-node";

    /** Keeps the user's claim until nothing is left of the filling. */
    public static final String FINALIZER = "populator.storage.k8s.io/populate-target-protection";

    /** On the user's claim: the epoch of the leader that fills its volume. */
    public static final String INTENT = "volume4j.io/populating";

    /** On the volume: the object that it was filled from. */
    public static final String POPULATED_FROM = "populator.storage.k8s.io/populated-from";

    private Prime() {}

    public static ObjectKey key(String namespace, PersistentVolumeClaim target) {
        return ObjectKey.claim(namespace, "prime-" + target.metadata().uid());
    }

    /** The claim for which a prime claim has a volume; empty for other claims. */
    public static Optional<ObjectKey> target(PersistentVolumeClaim prime) {
        String namespace = prime.metadata().annotation(FOR_NAMESPACE);
        String name = prime.metadata().annotation(FOR_NAME);
        return namespace.isEmpty() || name.isEmpty() ? Optional.empty() : Optional.of(ObjectKey.claim(namespace, name));
    }

    /** The epoch of the leader that fills the claim's volume; 0 if the intent is not readable. */
    public static long leaderOf(PersistentVolumeClaim target) {
        String text = target.metadata().annotation(INTENT);
        return text.matches("[0-9]{1,18}") ? Long.parseLong(text) : 0;
    }

    static boolean isOf(PersistentVolumeClaim prime, PersistentVolumeClaim target) {
        return target.metadata().uid().equals(prime.metadata().labels().get(LABEL));
    }

    /** Has the requests of the target, but no data source. */
    static PersistentVolumeClaim of(String namespace, PersistentVolumeClaim target) {
        Map<String, String> annotations = new LinkedHashMap<>();
        annotations.put(FOR_NAMESPACE, target.metadata().namespace());
        annotations.put(FOR_NAME, target.metadata().name());
        String node = target.metadata().annotation(WellKnown.SELECTED_NODE);
        if (!node.isEmpty()) {
            annotations.put(WellKnown.SELECTED_NODE, node);
            annotations.put(FOR_NODE, node);
        }
        PersistentVolumeClaim.Spec wanted = target.spec();
        return new PersistentVolumeClaim(
                new ObjectMeta(
                        key(namespace, target).name(),
                        namespace,
                        "",
                        "",
                        0,
                        Map.of(LABEL, target.metadata().uid()),
                        annotations,
                        List.of(),
                        List.of(),
                        null,
                        null),
                new PersistentVolumeClaim.Spec(
                        wanted.accessModes(),
                        wanted.request(),
                        target.classUnset() ? null : target.className(),
                        wanted.volumeMode(),
                        "",
                        null,
                        null,
                        null,
                        wanted.volumeAttributesClassName()),
                new PersistentVolumeClaim.Status(ClaimPhase.PENDING, List.of(), null, Map.of(), Map.of(), ""),
                Unmodeled.none());
    }
}
