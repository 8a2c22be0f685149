package io.volume4j.core.control.ephemeral;

import io.volume4j.core.control.host.LastEvents;
import io.volume4j.core.control.host.facts.Lookup;
import io.volume4j.spi.model.PersistentVolumeClaim;
import io.volume4j.spi.model.Pod;
import java.util.List;

/**
 * What must be known to make a pod's claims.
 *
 * @param claims those that the pod is to have, with what is there of each
 */
public record PodView(Pod pod, List<Item> claims, LastEvents told) implements EphemeralView {
    /** A claim, and the one of its name. */
    public record Item(DesiredClaim desired, Lookup<PersistentVolumeClaim> existing) {}
}
