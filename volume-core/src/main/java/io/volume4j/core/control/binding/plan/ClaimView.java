package io.volume4j.core.control.binding.plan;

import io.volume4j.core.control.host.LastEvents;
import io.volume4j.core.control.host.facts.Lookup;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.OneLine;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.PersistentVolumeClaim;
import io.volume4j.spi.model.StorageClass;
import java.util.List;
import java.util.Optional;

/**
 * The facts for the decision about a claim.
 *
 * @param choiceKnown whether all volumes of the cluster, and the claim's class and node if it has them, are known, so that the
 *     match is valid
 * @param volume the volume in the claim's spec
 * @param match the volume that the claim would get; set only if the claim has no volume name and is not bound
 * @param waitsForConsumer whether the class requires waiting for the first pod, and no node was chosen yet
 * @param defaultClass the class for a claim without a class field, {@code ""} if there is none
 * @param unscheduledPods pods that use the claim and have no node, by name
 * @param provisioning the facts for provisioning a volume
 */
public record ClaimView(
        PersistentVolumeClaim claim,
        boolean choiceKnown,
        Lookup<PersistentVolume> volume,
        Match match,
        boolean waitsForConsumer,
        String defaultClass,
        List<String> unscheduledPods,
        ProvisionView provisioning,
        LastEvents told)
        implements BindingView {
    @Override
    public ObjectKey key() {
        return claim.key();
    }

    /** The field of the claim, its volume or its class with a value that this version does not know. */
    Optional<String> unknownWord() {
        Optional<String> here = claim.spec().unknownWord().map(field -> field + " of " + claim.key());
        if (here.isEmpty() && volume.found()) {
            PersistentVolume named = volume.get();
            here = named.spec()
                    .unknownWord()
                    .map(field -> field + " of volume " + named.metadata().name());
        }
        Lookup<StorageClass> given = provisioning.storageClass();
        if (here.isPresent() || !given.found()) {
            return here;
        }
        String ofClass = " of storage class " + OneLine.name(claim.className());
        if (!given.get().volumeBindingMode().known()) {
            return Optional.of("volumeBindingMode" + ofClass);
        }
        return given.get().reclaimPolicy().known() || !getsNewVolume()
                ? Optional.empty()
                : Optional.of("reclaimPolicy" + ofClass);
    }

    /**
     * Whether this process would begin to provision a volume, which has the policy of its class. An open intent has its own
     * copy of the policy, and a volume that exists has its own policy.
     */
    private boolean getsNewVolume() {
        return claim.spec().volumeName().isEmpty()
                && !Annotation.bindCompleted(claim)
                && !match.found()
                && !provisioning.open()
                && provisioning.provisioner().role() == ProvisionerInfo.Role.IN_PROCESS;
    }
}
