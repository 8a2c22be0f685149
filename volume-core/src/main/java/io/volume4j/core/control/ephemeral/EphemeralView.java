package io.volume4j.core.control.ephemeral;

/** What must be known to decide about claims that come with pods: about a pod, or about a claim that belongs to one. */
public sealed interface EphemeralView permits PodView, OwnedClaimView {}
