package io.volume4j.spi.model;

import java.util.Objects;

/**
 * A volume of a pod, with the pod's own name for it.
 *
 * @since 0.1.0
 */
public record PodVolume(String name, VolumeSource source) {
    public PodVolume {
        name = Copies.text(name);
        Objects.requireNonNull(source, "source");
    }
}
