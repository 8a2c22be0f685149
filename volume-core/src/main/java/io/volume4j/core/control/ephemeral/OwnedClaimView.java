package io.volume4j.core.control.ephemeral;

import io.volume4j.core.control.host.facts.Lookup;
import io.volume4j.spi.model.OwnerReference;
import io.volume4j.spi.model.PersistentVolumeClaim;
import io.volume4j.spi.model.Pod;

/**
 * A claim that a pod owns.
 *
 * @param owner the reference to the pod
 * @param pod whether exactly that pod exists; {@code ABSENT} proves that its UID is gone
 */
public record OwnedClaimView(PersistentVolumeClaim claim, OwnerReference owner, Lookup<Pod> pod)
        implements EphemeralView {}
