package io.volume4j.core.worlds;

import io.volume4j.core.explain.Explanation;
import io.volume4j.core.volumes.NodeSnapshot;
import io.volume4j.spi.VolumeId;
import org.jspecify.annotations.Nullable;

/**
 * One volume of a node at one moment: its desired state, its actual state, and why both differ. Immutable.
 *
 * @param desired null if no pod wants the volume
 * @param actual null if the volume is certainly not on the node
 * @param explanation current and next steps, and reasons for waiting
 * @since 0.1.0
 */
public record VolumeReading(
        VolumeId volume,
        NodeSnapshot.@Nullable Desired desired,
        NodeSnapshot.@Nullable Actual actual,
        Explanation explanation) {}
