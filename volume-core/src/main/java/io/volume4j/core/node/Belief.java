package io.volume4j.core.node;

import io.volume4j.spi.VolumeId;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * The state of one volume on a node as its agent believes it. A simulator compares it with the actual state.
 *
 * @param mounts by pod UID
 */
public record Belief(VolumeId volume, AttachState attach, MountState device, Map<String, MountState> mounts) {
    public Belief {
        mounts = Collections.unmodifiableMap(new TreeMap<>(mounts));
    }
}
