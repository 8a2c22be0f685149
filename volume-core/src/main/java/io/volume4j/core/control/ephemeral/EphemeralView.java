package io.volume4j.core.control.ephemeral;

/** The facts for the decision about the claims of pods: for a pod, or for a claim that a pod owns. */
public sealed interface EphemeralView permits PodView, OwnedClaimView {}
