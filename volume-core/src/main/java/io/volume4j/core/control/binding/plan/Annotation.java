package io.volume4j.core.control.binding.plan;

import io.volume4j.core.control.host.facts.ClaimFacts;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.WellKnown;

/** Annotations and finalizers that only the control plane of this library writes, and questions about the agreed ones. */
public final class Annotation {
    private Annotation() {}

    /** On a claim: a volume may be being made for it; see {@link ProvisioningIntent}. */
    public static final String PROVISIONING_INTENT = ClaimFacts.PROVISIONING_INTENT;

    /** Keeps a claim while its provisioning intent is open. */
    public static final String PROVISIONING_FINALIZER = "volume4j.io/provisioning";

    /** On a volume: its storage may be being deleted or emptied; see {@link ReclaimIntent}. */
    public static final String RECLAIM_INTENT = ClaimFacts.RECLAIM_INTENT;

    /** Keeps a volume that was made here until its storage is gone. */
    public static final String RECLAIM_FINALIZER = "kubernetes.io/pv-controller";

    /** The same for a volume that a provisioner of its own made. */
    public static final String EXTERNAL_FINALIZER = "external-provisioner.volume.kubernetes.io/finalizer";

    /** The value of the annotations that are only present or not. */
    static final String YES = "yes";

    static boolean boundByController(ApiObject object) {
        return object.metadata().annotations().containsKey(WellKnown.BOUND_BY_CONTROLLER);
    }

    static boolean bindCompleted(ApiObject object) {
        return object.metadata().annotations().containsKey(WellKnown.BIND_COMPLETED);
    }

    /** Whether an annotation says that another driver than this handles the object now. */
    static boolean migratedBesides(ApiObject object, String driver) {
        String to = object.metadata().annotation(WellKnown.MIGRATED_TO);
        return !to.isEmpty() && !to.equals(driver);
    }
}
