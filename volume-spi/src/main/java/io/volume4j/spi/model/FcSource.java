package io.volume4j.spi.model;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A logical unit on Fibre Channel ({@code fc}). Either the target's ports and a number identify it, or its own world
 * wide identifiers do.
 *
 * @param targetWwns names of the target's ports
 * @param lun the number of the unit at those ports; null with {@code wwids}
 * @param wwids identifiers of the unit itself
 * @since 0.1.0
 */
public record FcSource(
        List<String> targetWwns, @Nullable Integer lun, String fsType, boolean readOnly, List<String> wwids)
        implements VolumeSource {
    public FcSource {
        targetWwns = Copies.list(targetWwns);
        fsType = Copies.text(fsType);
        wwids = Copies.list(wwids);
    }

    @Override
    public String type() {
        return "fc";
    }
}
