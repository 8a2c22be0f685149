package io.volume4j.spi.model;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A logical unit that Fibre Channel leads to ({@code fc}): either by the ports of its target and its number there, or by its
 * own world wide identifiers.
 *
 * @param targetWwns names of the target's ports
 * @param lun the number behind those ports; null with {@code wwids}
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
