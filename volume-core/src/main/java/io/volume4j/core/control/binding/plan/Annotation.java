package io.volume4j.core.control.binding.plan;

import io.volume4j.core.control.host.facts.ClaimFacts;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.WellKnown;

/** Annotations and finalizers that only this library's control plane writes, and tests of Kubernetes' annotations. */
public final class Annotation {
    private Annotation() {}

    /** On a claim: a plugin may be making a volume for it; see {@link ProvisioningIntent}. */
    public static final String PROVISIONING_INTENT = ClaimFacts.PROVISIONING_INTENT;

    /** Keeps a claim while its provisioning intent is open. */
    public static final String PROVISIONING_FINALIZER = "volume4j.io/provisioning";

    /** On a volume: a plugin may be deleting or emptying its storage; see {@link ReclaimIntent}. */
    public static final String RECLAIM_INTENT = ClaimFacts.RECLAIM_INTENT;

    /**
     * Keeps a volume of a built-in plugin of Kubernetes until Kubernetes' controller has deleted its storage. Neither that
     * controller nor a driver's external-provisioner removes it from any other volume. Earlier versions of this library set it.
     */
    public static final String RECLAIM_FINALIZER = "kubernetes.io/pv-controller";

    /**
     * Keeps a volume that a plugin made until its storage is gone. External provisioners of Kubernetes use the same one, so that they
     * can delete the volumes of this library, and this library theirs.
     */
    public static final String EXTERNAL_FINALIZER = "external-provisioner.volume.kubernetes.io/finalizer";

    /** The value of annotations whose presence is their only meaning. */
    static final String YES = "yes";

    static boolean boundByController(ApiObject object) {
        return object.metadata().annotations().containsKey(WellKnown.BOUND_BY_CONTROLLER);
    }

    static boolean bindCompleted(ApiObject object) {
        return object.metadata().annotations().containsKey(WellKnown.BIND_COMPLETED);
    }

    /** Whether an annotation names another driver that handles the object now. */
    static boolean migratedBesides(ApiObject object, String driver) {
        String to = object.metadata().annotation(WellKnown.MIGRATED_TO);
        return !to.isEmpty() && !to.equals(driver);
    }
}
