package io.volume4j.core.control.ephemeral;

import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.PersistentVolumeClaim;
import org.jspecify.annotations.Nullable;

/**
 * A claim that a pod must have.
 *
 * @param claim the claim to create, null if the pod's specification of it is not valid
 * @param ownedByPod whether it must belong to exactly this pod; otherwise any claim with the name is accepted
 * @param error why the specification is not valid, {@code ""} if it is
 */
public record DesiredClaim(ObjectKey key, @Nullable PersistentVolumeClaim claim, boolean ownedByPod, String error) {}
