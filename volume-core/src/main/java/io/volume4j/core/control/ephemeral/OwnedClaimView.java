package io.volume4j.core.control.ephemeral;

import io.volume4j.core.control.host.facts.Lookup;
import io.volume4j.spi.model.OwnerReference;
import io.volume4j.spi.model.PersistentVolumeClaim;
import io.volume4j.spi.model.Pod;

/**
 * A claim that belongs to a pod.
 *
 * @param owner the pod that it names
 * @param pod whether that very pod is there; {@code ABSENT} is proof that its UID is gone
 */
public record OwnedClaimView(PersistentVolumeClaim claim, OwnerReference owner, Lookup<Pod> pod)
        implements EphemeralView {}
