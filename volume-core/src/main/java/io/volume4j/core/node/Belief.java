package io.volume4j.core.node;

import io.volume4j.spi.VolumeId;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * What an agent takes for the state of one volume on its node; a simulator holds it against what is there.
 *
 * @param mounts by pod UID
 */
public record Belief(VolumeId volume, AttachState attach, MountState device, Map<String, MountState> mounts) {
    public Belief {
        mounts = Collections.unmodifiableMap(new TreeMap<>(mounts));
    }
}
