package io.volume4j.core.control.move;

import io.volume4j.core.codec.ManifestException;
import io.volume4j.core.codec.Manifests;
import io.volume4j.core.control.host.facts.ClaimFacts;
import io.volume4j.spi.model.ClaimHold;
import io.volume4j.spi.model.ClaimPhase;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.ObjectMeta;
import io.volume4j.spi.model.ObjectReference;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.PersistentVolumeClaim;
import io.volume4j.spi.model.Quantity;
import io.volume4j.spi.model.TypedReference;
import io.volume4j.spi.model.Unmodeled;
import io.volume4j.spi.model.VolumeMove;
import io.volume4j.spi.model.WellKnown;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The claims of a move: the copy, which has the new volume meanwhile, and the user's claim, which is created again. */
public final class MovedClaim {
    /** On the copy, and on a volume that is reserved for the claim: the UID of the move. */
    public static final String LABEL = "volume4j.io/move";

    /** On a claim: the UID of the move that gave up the copy of its data. Stored, because the reason may be gone at the next look. */
    static final String GIVEN_UP = "volume4j.io/move-given-up";

    /** Annotations that belong to the claim's binding to its old volume. */
    private static final List<String> OF_BINDING = List.of(
            WellKnown.BIND_COMPLETED,
            WellKnown.BOUND_BY_CONTROLLER,
            WellKnown.SELECTED_NODE,
            WellKnown.STORAGE_PROVISIONER,
            WellKnown.BETA_STORAGE_PROVISIONER,
            WellKnown.BETA_STORAGE_CLASS,
            ClaimFacts.PROVISIONING_INTENT,
            "volume4j.io/populating",
            "volume.kubernetes.io/storage-resizer",
            ClaimHold.ANNOTATION,
            GIVEN_UP);

    /** How far the clocks of two API servers may be apart. */
    private static final Duration CLOCKS_APART = Duration.ofMinutes(1);

    /** On a volume, written by a populator: the object that the populator filled it from. */
    private static final String POPULATED_FROM = "populator.storage.k8s.io/populated-from";

    private static final PersistentVolumeClaim.Status PENDING =
            new PersistentVolumeClaim.Status(ClaimPhase.PENDING, List.of(), null, Map.of(), Map.of(), "");

    private MovedClaim() {}

    /** The key of the copy. */
    static ObjectKey copyKey(VolumeMove move) {
        return ObjectKey.claim(
                move.metadata().namespace(), "move-" + move.metadata().uid());
    }

    /** Whether the claim is the copy of the move. */
    static boolean isCopy(PersistentVolumeClaim claim, String moveUid) {
        return moveUid.equals(claim.metadata().labels().get(LABEL));
    }

    /** Whether the move holds the claim, so that no new pod gets it. */
    static boolean heldBy(PersistentVolumeClaim claim, String moveUid) {
        return ClaimHold.holder(claim).equals(moveUid);
    }

    /** Whether the move gave up the copy of its data, and wrote that to the claim. */
    static boolean givenUp(PersistentVolumeClaim claim, String moveUid) {
        return claim.metadata().annotation(GIVEN_UP).equals(moveUid);
    }

    /** Whether the copy waits for the node that the user named: a provisioner whose call failed has taken it back. */
    static boolean lacksNode(PersistentVolumeClaim copy, VolumeMove move) {
        return !move.spec().nodeName().isEmpty()
                && ClaimFacts.unbound(copy)
                && copy.metadata().annotation(WellKnown.SELECTED_NODE).isEmpty();
    }

    /** The copy: a claim that gets the new volume and is filled from the user's claim. */
    static PersistentVolumeClaim copy(
            VolumeMove move, PersistentVolumeClaim from, PersistentVolume source, boolean clone) {
        Map<String, String> annotations = new LinkedHashMap<>();
        if (!move.spec().nodeName().isEmpty()) {
            annotations.put(WellKnown.SELECTED_NODE, move.spec().nodeName());
        }
        ObjectKey key = copyKey(move);
        return new PersistentVolumeClaim(
                ObjectMeta.builder(key.namespace(), key.name())
                        .labels(Map.of(LABEL, move.metadata().uid()))
                        .annotations(annotations)
                        .build(),
                from.spec().toBuilder()
                        .request(size(from, source))
                        .storageClassName(move.spec().storageClassName())
                        .volumeName("")
                        .selector(null)
                        .dataSource(null)
                        .dataSourceRef(clone ? claimReference(from) : moveReference(move))
                        .volumeAttributesClassName("")
                        .build(),
                PENDING,
                Unmodeled.none());
    }

    /** The new volume must have room for all data of the old one. */
    private static @Nullable Quantity size(PersistentVolumeClaim from, PersistentVolume source) {
        @Nullable Quantity wanted = from.spec().request();
        @Nullable Quantity has = source.spec().capacity();
        if (wanted == null || has == null) {
            return wanted == null ? has : wanted;
        }
        return wanted.compareTo(has) >= 0 ? wanted : has;
    }

    private static TypedReference claimReference(PersistentVolumeClaim claim) {
        return new TypedReference(
                "", Kind.PERSISTENT_VOLUME_CLAIM.apiName(), "", claim.metadata().name());
    }

    private static TypedReference moveReference(VolumeMove move) {
        return new TypedReference(
                VolumeMove.GROUP,
                Kind.VOLUME_MOVE.apiName(),
                "",
                move.metadata().name());
    }

    /** The manifest of the user's new claim, without its future volume. Equal claims have equal manifests. */
    static String anew(VolumeMove move, PersistentVolumeClaim claim) {
        Map<String, String> annotations = new TreeMap<>(claim.metadata().annotations());
        OF_BINDING.forEach(annotations::remove);
        return Manifests.toJson(new PersistentVolumeClaim(
                ObjectMeta.builder(
                                claim.metadata().namespace(), claim.metadata().name())
                        .labels(new TreeMap<>(claim.metadata().labels()))
                        .annotations(annotations)
                        .ownerReferences(claim.metadata().ownerReferences())
                        .build(),
                claim.spec().toBuilder()
                        .storageClassName(move.spec().storageClassName())
                        .volumeName("")
                        .selector(null)
                        .dataSource(null)
                        .dataSourceRef(null)
                        .volumeAttributesClassName("")
                        .build(),
                PENDING,
                unmodeledSpec(claim)));
    }

    /**
     * What no record models of the claim's spec, such as limits. The other fields belong to the old object. An owner's
     * {@code blockOwnerDeletion} is left out too: a server can refuse it to a program that may not update the owner's
     * finalizers, and then the claim would not come back.
     */
    private static Unmodeled unmodeledSpec(PersistentVolumeClaim claim) {
        @Nullable Object spec = claim.unmodeled().document().get("spec");
        if (spec == null) {
            return Unmodeled.none();
        }
        Map<String, @Nullable Object> document = new LinkedHashMap<>();
        document.put("apiVersion", claim.apiVersion());
        document.put("kind", claim.kind().apiName());
        Map<String, @Nullable Object> metadata = new LinkedHashMap<>();
        metadata.put("name", claim.metadata().name());
        metadata.put("namespace", claim.metadata().namespace());
        document.put("metadata", metadata);
        document.put("spec", sorted(spec));
        return new Unmodeled(document);
    }

    /** The order of fields in a document is that of the program that sent it last. */
    private static @Nullable Object sorted(@Nullable Object value) {
        if (value instanceof Map<?, ?> map) {
            Map<String, @Nullable Object> sorted = new TreeMap<>();
            map.forEach((key, each) -> sorted.put(String.valueOf(key), sorted(each)));
            return sorted;
        }
        return value instanceof List<?> list
                ? list.stream().map(MovedClaim::sorted).toList()
                : value;
    }

    /**
     * The user's new claim with its volume, held until it is bound. The move's object determines its name.
     *
     * @return empty if the stored manifest is not readable
     */
    static Optional<PersistentVolumeClaim> withVolume(VolumeMove move) {
        try {
            return Manifests.read("status.claim of " + move.key(), move.status().claim()).stream()
                    .filter(PersistentVolumeClaim.class::isInstance)
                    .map(PersistentVolumeClaim.class::cast)
                    .findFirst()
                    .map(claim -> new PersistentVolumeClaim(
                            claim.metadata().toBuilder()
                                    .namespace(move.metadata().namespace())
                                    .name(move.spec().claimName())
                                    .build()
                                    .withAnnotation(ClaimHold.ANNOTATION, ClaimHold.text(move)),
                            claim.spec().toBuilder()
                                    .volumeName(move.status().targetVolume())
                                    .build(),
                            PENDING,
                            unmodeledSpec(claim)));
        } catch (ManifestException unreadable) {
            return Optional.empty();
        }
    }

    /** Whether the volume was made and filled for the copy. A claim may also be bound to a volume that was free before. */
    static boolean madeFor(PersistentVolumeClaim copy, PersistentVolume volume, VolumeMove move) {
        @Nullable TypedReference from = copy.spec().dataSourceRef();
        if (from != null && from.kind().equals(Kind.PERSISTENT_VOLUME_CLAIM.apiName())) {
            return volume.metadata().name().equals("pvc-" + copy.metadata().uid());
        }
        return volume.metadata()
                        .annotation(POPULATED_FROM)
                        .endsWith(move.metadata().namespace() + "/"
                                + move.metadata().name())
                && !olderThan(copy, volume);
    }

    /** An earlier move of the same name may have left such a volume. A populator fills a volume that is made after the copy. */
    private static boolean olderThan(PersistentVolumeClaim copy, PersistentVolume volume) {
        @Nullable Instant made = volume.metadata().creationTimestamp();
        @Nullable Instant copyMade = copy.metadata().creationTimestamp();
        return made != null && copyMade != null && made.isBefore(copyMade.minus(CLOCKS_APART));
    }

    /** Whether the volume belongs to exactly the claim with that name and UID. */
    static boolean has(ObjectKey claim, String uid, PersistentVolume volume) {
        @Nullable ObjectReference holder = volume.spec().claimRef();
        return !uid.isEmpty() && holder != null && holder.uid().equals(uid) && named(claim, holder);
    }

    /** Whether the move has reserved the volume for the name of its claim. */
    static boolean reserved(VolumeMove move, PersistentVolume volume) {
        @Nullable ObjectReference holder = volume.spec().claimRef();
        return holder != null
                && holder.uid().isEmpty()
                && named(MovePlanner.claimKey(move), holder)
                && volume.metadata().annotation(LABEL).equals(move.metadata().uid());
    }

    private static boolean named(ObjectKey claim, ObjectReference holder) {
        return holder.namespace().equals(claim.namespace()) && holder.name().equals(claim.name());
    }
}
