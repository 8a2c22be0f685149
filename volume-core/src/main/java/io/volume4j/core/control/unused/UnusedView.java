package io.volume4j.core.control.unused;

import io.volume4j.spi.model.PersistentVolumeClaim;

/**
 * The facts for reporting whether pods use a claim.
 *
 * @param used whether a pod that has not ended refers to the claim
 * @param podsKnown whether all pods that could use it are known
 */
public record UnusedView(PersistentVolumeClaim claim, boolean used, boolean podsKnown) {}
