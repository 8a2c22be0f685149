package io.volume4j.spi.model;

/**
 * The source of a pod's volume: a claim in the pod's namespace ({@code persistentVolumeClaim}).
 *
 * @since 0.1.0
 */
public record ClaimSource(String claimName, boolean readOnly) implements VolumeSource {
    public ClaimSource {
        claimName = Copies.text(claimName);
    }

    @Override
    public String type() {
        return "persistentVolumeClaim";
    }
}
