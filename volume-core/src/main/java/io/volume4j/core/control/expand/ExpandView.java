package io.volume4j.core.control.expand;

import io.volume4j.core.control.host.LastEvents;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.PersistentVolumeClaim;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * What must be known to expand the volume of a claim that is bound to it, both ways.
 *
 * @param classAllows whether the claim's class lets its volumes grow; a class that is gone forbids nothing
 * @param usedBy pods that are not over and have a node and the claim, by name
 * @param usersKnown whether all pods of the cluster are known
 * @param nodeRefusal that a node has given up, null while none has
 * @param leftUntil loop time until which an expansion is left to the later leader that began it, empty if it is not
 * @param now loop time
 * @param epoch of the leader that decides
 */
public record ExpandView(
        PersistentVolumeClaim claim,
        PersistentVolume volume,
        ExpanderInfo expander,
        boolean classAllows,
        List<String> usedBy,
        boolean usersKnown,
        ExpandMemory memory,
        @Nullable NodeRefusal nodeRefusal,
        OptionalLong leftUntil,
        long now,
        long epoch,
        LastEvents told) {}
