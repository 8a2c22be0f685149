package io.volume4j.core.control.ephemeral;

import io.volume4j.core.control.host.LastEvents;
import io.volume4j.core.control.host.facts.Lookup;
import io.volume4j.spi.model.PersistentVolumeClaim;
import io.volume4j.spi.model.Pod;
import java.util.List;

/**
 * The facts for creating a pod's claims.
 *
 * @param claims the claims that the pod must have, each with the existing object
 */
public record PodView(Pod pod, List<Item> claims, LastEvents told) implements EphemeralView {
    /** A required claim, and the existing claim with its name. */
    public record Item(DesiredClaim desired, Lookup<PersistentVolumeClaim> existing) {}
}
