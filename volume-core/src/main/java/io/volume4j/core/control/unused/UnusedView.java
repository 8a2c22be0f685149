package io.volume4j.core.control.unused;

import io.volume4j.spi.model.PersistentVolumeClaim;

/**
 * What must be known to say whether pods use a claim.
 *
 * @param used whether a pod that has not ended names the claim
 * @param podsKnown whether all pods are known that could use it
 */
public record UnusedView(PersistentVolumeClaim claim, boolean used, boolean podsKnown) {}
