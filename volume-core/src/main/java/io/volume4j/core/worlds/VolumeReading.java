package io.volume4j.core.worlds;

import io.volume4j.core.explain.Explanation;
import io.volume4j.core.volumes.NodeSnapshot;
import io.volume4j.spi.VolumeId;
import org.jspecify.annotations.Nullable;

/**
 * One volume of a node at one moment: what pods want, what is there, and why both differ. Immutable.
 *
 * @param desired null if no pod wants the volume
 * @param actual null if the volume certainly is not on the node
 * @param explanation steps under way or to come, and what is waited for
 * @since 0.1.0
 */
public record VolumeReading(
        VolumeId volume,
        NodeSnapshot.@Nullable Desired desired,
        NodeSnapshot.@Nullable Actual actual,
        Explanation explanation) {}
