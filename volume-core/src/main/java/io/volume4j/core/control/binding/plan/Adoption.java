package io.volume4j.core.control.binding.plan;

import io.volume4j.spi.model.AccessMode;
import io.volume4j.spi.model.CsiSource;
import io.volume4j.spi.model.NameRule;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.ObjectMeta;
import io.volume4j.spi.model.ObjectReference;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.PersistentVolumeClaim;
import io.volume4j.spi.model.Quantity;
import io.volume4j.spi.model.ReclaimPolicy;
import io.volume4j.spi.model.Unmodeled;
import io.volume4j.spi.model.VolumeMode;
import io.volume4j.spi.model.VolumePhase;
import io.volume4j.spi.model.VolumeSource;
import io.volume4j.spi.model.WellKnown;
import io.volume4j.spi.plugin.Provisioner.ProvisionResult;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Creates an object for storage that no object refers to. Normal rules then apply to it, above all for its deletion: a durable
 * record, a check of its users, and its reclaim policy.
 */
public final class Adoption {
    private static final String PREFIX = "pvc-";

    private Adoption() {}

    /**
     * The object for storage that a plugin was making for a deleted claim: the object that the claim's provisioning would have
     * stored. It is released, and its class's policy applies.
     *
     * @param claim the deleted claim
     * @param made the result of the call, null if only the backend's list shows the storage
     */
    public static PersistentVolume ofAbandoned(
            PersistentVolumeClaim claim, ProvisioningIntent intent, @Nullable ProvisionResult made) {
        return ProvisionPlanner.volumeOf(
                claim,
                intent,
                made == null ? ProvisionResult.of(source(intent.plugin(), intent.volumeName()), intent.bytes()) : made);
    }

    /**
     * The object for storage about which a user decides: available to claims, or released, to be deleted. Nothing shows how the
     * storage may be shared, so only one node may have it.
     *
     * @param claimUid the claim for which it was made; {@code ""} to keep it
     */
    public static PersistentVolume byHand(
            String plugin, String handle, long bytes, ReclaimPolicy policy, String claimUid) {
        String name = NameRule.SUBDOMAIN.allows(handle) ? handle : "adopted-" + Integer.toHexString(handle.hashCode());
        Map<String, String> annotations = new LinkedHashMap<>();
        annotations.put(WellKnown.PROVISIONED_BY, plugin);
        if (!claimUid.isEmpty()) {
            annotations.put(WellKnown.BOUND_BY_CONTROLLER, Annotation.YES);
        }
        // The claim's name is not known any more. This name works, because a claim with it would have another UID.
        ObjectKey claim = ObjectKey.claim("default", name);
        return new PersistentVolume(
                new ObjectMeta(
                        name,
                        "",
                        "",
                        "",
                        0,
                        Map.of(),
                        annotations,
                        policy == ReclaimPolicy.DELETE ? List.of(Annotation.EXTERNAL_FINALIZER) : List.of(),
                        List.of(),
                        null,
                        null),
                new PersistentVolume.Spec(
                        Quantity.ofBytes(bytes),
                        List.of(AccessMode.READ_WRITE_ONCE),
                        policy,
                        "",
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
                        source(plugin, handle)),
                new PersistentVolume.Status(VolumePhase.NONE, "", ""),
                Unmodeled.none());
    }

    /** The UID of the claim for which storage with this name was made, if the name contains it. */
    public static Optional<String> claimUid(String volumeName) {
        return volumeName.startsWith(PREFIX) && volumeName.length() > PREFIX.length()
                ? Optional.of(volumeName.substring(PREFIX.length()))
                : Optional.empty();
    }

    /** The source for storage of which only the backend's handle is known. */
    public static VolumeSource source(String plugin, String handle) {
        return CsiSource.of(plugin, handle, "", Map.of());
    }
}
