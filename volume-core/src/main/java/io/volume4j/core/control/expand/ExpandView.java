package io.volume4j.core.control.expand;

import io.volume4j.core.control.host.LastEvents;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.PersistentVolumeClaim;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * The facts for expanding the volume of a claim that is bound to it, in both directions.
 *
 * @param classAllows whether the claim's class allows expansion; true if the class is gone
 * @param usedBy pods that have not ended, have a node and use the claim, by name
 * @param usersKnown whether all pods of the cluster are known
 * @param nodeRefusal the permanent failure of a node, null for none
 * @param leftUntil loop time until which a later leader may continue its expansion, empty if this process need not wait
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
