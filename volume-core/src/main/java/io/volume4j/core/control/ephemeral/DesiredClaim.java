package io.volume4j.core.control.ephemeral;

import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.PersistentVolumeClaim;
import org.jspecify.annotations.Nullable;

/**
 * A claim that a pod is to have.
 *
 * @param claim as it would be created, null where what the pod says makes no claim
 * @param ownedByPod whether it must belong to this very pod; otherwise any claim of the name will do
 * @param error why what the pod says makes no claim, {@code ""} if it does
 */
public record DesiredClaim(ObjectKey key, @Nullable PersistentVolumeClaim claim, boolean ownedByPod, String error) {}
