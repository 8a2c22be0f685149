package io.volume4j.core.control.binding.plan;

import io.volume4j.core.control.host.LastEvents;
import io.volume4j.core.control.host.facts.Lookup;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.PersistentVolumeClaim;
import io.volume4j.spi.model.StorageClass;
import java.util.List;
import java.util.Optional;

/**
 * What must be known to decide about a claim.
 *
 * @param choiceKnown whether all volumes of the cluster are known, and the claim's class and node as far as it has any, so
 *     that the match means something
 * @param volume the volume that the claim names
 * @param match the volume that the claim would get; looked for only if it names none and is not bound
 * @param waitsForConsumer whether the class says to wait for the first pod, and no node was chosen yet
 * @param defaultClass the class that a claim gets that says nothing about one, {@code ""} if there is none
 * @param unscheduledPods pods that use the claim and have no node, by name
 * @param provisioning what must be known to make a volume
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

    /** What of the claim, of its volume or of its class holds a word that this version does not know. */
    Optional<String> unknownWord() {
        Optional<String> here = claim.spec().unknownWord().map(field -> field + " of " + claim.key());
        if (here.isEmpty() && volume.found()) {
            PersistentVolume named = volume.get();
            here = named.spec()
                    .unknownWord()
                    .map(field -> field + " of volume " + named.metadata().name());
        }
        Lookup<StorageClass> given = provisioning.storageClass();
        boolean known = !given.found() || given.get().volumeBindingMode().known();
        return here.isPresent() || known
                ? here
                : Optional.of("volumeBindingMode of storage class " + claim.className());
    }
}
