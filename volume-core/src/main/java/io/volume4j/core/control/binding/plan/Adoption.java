package io.volume4j.core.control.binding.plan;

import io.volume4j.spi.model.CsiSource;
import io.volume4j.spi.model.NameRule;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.ObjectMeta;
import io.volume4j.spi.model.ObjectReference;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.Quantity;
import io.volume4j.spi.model.ReclaimPolicy;
import io.volume4j.spi.model.Unmodeled;
import io.volume4j.spi.model.VolumeMode;
import io.volume4j.spi.model.VolumePhase;
import io.volume4j.spi.model.VolumeSource;
import io.volume4j.spi.model.WellKnown;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Gives storage that nothing tells of an object of its own, so that everything else about it, its deletion above all, goes the way
 * of every other volume: with a durable record, after a look at its users, and by its reclaim policy.
 */
public final class Adoption {
    private static final String PREFIX = "pvc-";

    private Adoption() {}

    /**
     * The object of storage that was being made for a claim that is gone: released, to be reclaimed as its class said.
     *
     * @param claim that is gone
     * @param finalizer that keeps the volume until its storage is gone
     */
    public static PersistentVolume ofAbandoned(
            ObjectKey claim,
            String claimUid,
            ProvisioningIntent intent,
            VolumeSource source,
            Map<String, String> annotations,
            String finalizer) {
        return volume(
                intent.volumeName(),
                intent.plugin(),
                source,
                annotations,
                intent.bytes(),
                intent.storageClass().name(),
                intent.storageClass().reclaimPolicy(),
                claim,
                claimUid,
                finalizer);
    }

    /**
     * The object of storage that a person decides about: kept for the claim that gets it, or released, to be deleted.
     *
     * @param claimUid of the claim that it was made for; {@code ""} if it is to be kept
     */
    public static PersistentVolume byHand(
            String plugin, String handle, long bytes, ReclaimPolicy policy, String claimUid, String finalizer) {
        String name = NameRule.SUBDOMAIN.allows(handle) ? handle : "adopted-" + Integer.toHexString(handle.hashCode());
        // The claim's name is not known any more; this one is free, because a claim with it would have another UID.
        ObjectKey claim = ObjectKey.claim("default", name);
        return volume(name, plugin, source(plugin, handle), Map.of(), bytes, "", policy, claim, claimUid, finalizer);
    }

    /** The UID of the claim that storage of this name was made for, if its name tells. */
    public static Optional<String> claimUid(String volumeName) {
        return volumeName.startsWith(PREFIX) && volumeName.length() > PREFIX.length()
                ? Optional.of(volumeName.substring(PREFIX.length()))
                : Optional.empty();
    }

    /** How storage appears in an object of which only the backend's name for it is known. */
    public static VolumeSource source(String plugin, String handle) {
        return CsiSource.of(plugin, handle, "", Map.of());
    }

    private static PersistentVolume volume(
            String name,
            String plugin,
            VolumeSource source,
            Map<String, String> given,
            long bytes,
            String className,
            ReclaimPolicy policy,
            ObjectKey claim,
            String claimUid,
            String finalizer) {
        Map<String, String> annotations = new LinkedHashMap<>(given);
        annotations.put(WellKnown.PROVISIONED_BY, plugin);
        if (!claimUid.isEmpty()) {
            annotations.put(WellKnown.BOUND_BY_CONTROLLER, Annotation.YES);
        }
        return new PersistentVolume(
                new ObjectMeta(
                        name,
                        "",
                        "",
                        "",
                        0,
                        Map.of(),
                        annotations,
                        policy == ReclaimPolicy.DELETE ? List.of(finalizer) : List.of(),
                        List.of(),
                        null,
                        null),
                new PersistentVolume.Spec(
                        Quantity.ofBytes(bytes),
                        List.of(),
                        policy,
                        className,
                        VolumeMode.FILESYSTEM,
                        claimUid.isEmpty()
                                ? null
                                : new ObjectReference(
                                        claim.kind().apiVersion(),
                                        claim.kind().apiName(),
                                        claim.namespace(),
                                        claim.name(),
                                        claimUid,
                                        ""),
                        List.of(),
                        null,
                        "",
                        source),
                new PersistentVolume.Status(VolumePhase.NONE, "", ""),
                Unmodeled.none());
    }
}
