package io.volume4j.core.volumes;

import io.volume4j.spi.VolumeId;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A pod whose volumes are all there. Immutable.
 *
 * @param volumes by the pod's name for them, in the pod's order
 */
public record MountedPod(String podUid, Map<String, MountedVolume> volumes) {
    public MountedPod {
        volumes = Collections.unmodifiableMap(new LinkedHashMap<>(volumes));
    }

    /**
     * One volume.
     *
     * @param specName the PersistentVolume's name, or the pod's name for an inline volume
     * @param path where its files are on this machine
     */
    public record MountedVolume(VolumeId id, String specName, Path path, boolean readOnly) {}
}
