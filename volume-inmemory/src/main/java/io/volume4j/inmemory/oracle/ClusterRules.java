package io.volume4j.inmemory.oracle;

import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.ClaimPhase;
import io.volume4j.spi.model.ObjectReference;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.PersistentVolumeClaim;
import io.volume4j.spi.model.ReclaimPolicy;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The rules that the objects of a cluster must follow at every moment.
 *
 * @since 0.1.0
 */
public final class ClusterRules {
    private static final String POPULATES = "volume4j.io/populates";
    private static final String CONTROLLER_BOUND = "pv.kubernetes.io/bound-by-controller";

    /** Is told what was broken. */
    interface Report {
        void violate(Rule rule, String call, String message);
    }

    private final Report report;

    ClusterRules(Report report) {
        this.report = report;
    }

    /**
     * Checks all volumes and claims after a write of the library.
     * @param allVolumes all volumes of the cluster
     * @param allClaims all claims of the cluster, in order
     */
    public void check(
            String write, Collection<? extends ApiObject> allVolumes, Collection<? extends ApiObject> allClaims) {
        Map<String, PersistentVolume> volumes = new HashMap<>();
        for (ApiObject object : allVolumes) {
            if (object instanceof PersistentVolume volume) {
                volumes.put(volume.metadata().name(), volume);
            }
        }
        Map<String, String> claimOfVolume = new HashMap<>();
        for (ApiObject object : allClaims) {
            if (object instanceof PersistentVolumeClaim claim
                    && claim.status().phase() == ClaimPhase.BOUND
                    && !fills(claim)) {
                judge(write, claim, volumes.get(claim.spec().volumeName()), claimOfVolume);
            }
        }
    }

    /** It only had the volume while that was filled, and is told last that it has it no more. */
    private static boolean fills(PersistentVolumeClaim claim) {
        return claim.metadata().labels().containsKey(POPULATES);
    }

    private void judge(
            String write,
            PersistentVolumeClaim claim,
            @Nullable PersistentVolume volume,
            Map<String, String> claimOfVolume) {
        String other = claimOfVolume.put(claim.spec().volumeName(), claim.key().toString());
        if (other != null) {
            report.violate(
                    Rule.S11, write, claim.spec().volumeName() + " is bound to " + other + " and " + claim.key());
        }
        ObjectReference reference = volume == null ? null : volume.spec().claimRef();
        boolean byUs = claim.metadata().annotations().containsKey(CONTROLLER_BOUND);
        if (volume != null
                && reference != null
                && byUs
                && !reference.uid().equals(claim.metadata().uid())) {
            report.violate(
                    Rule.S11,
                    write,
                    claim.key() + " is bound to " + volume.key() + ", which is of " + reference.name() + " with UID "
                            + reference.uid());
        }
    }

    /**
     * Checks a call that deletes a volume's storage, when it is sent.
     * @param handle the handle of the storage
     * @param objects the current objects of the cluster
     */
    public void deleting(String call, String handle, Collection<? extends ApiObject> objects) {
        PersistentVolume volume = null;
        for (ApiObject object : objects) {
            if (object instanceof PersistentVolume found && handle.equals(HandleOf.volume(found))) {
                volume = found;
            }
        }
        if (volume == null) {
            return;
        }
        if (volume.spec().reclaimPolicy() != ReclaimPolicy.DELETE) {
            report.violate(
                    Rule.S10,
                    call,
                    volume.key() + " has the policy " + volume.spec().reclaimPolicy());
        }
        ObjectReference reference = volume.spec().claimRef();
        for (ApiObject object : objects) {
            if (object instanceof PersistentVolumeClaim claim
                    && reference != null
                    && claim.metadata().uid().equals(reference.uid())
                    && claim.spec().volumeName().equals(volume.metadata().name())) {
                report.violate(Rule.S10, call, claim.key() + " still has " + volume.key());
            }
        }
    }
}
