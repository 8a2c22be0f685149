package io.volume4j.spi.model;

/**
 * Where a PersistentVolume is in its life.
 *
 * @since 0.1.0
 */
public enum VolumePhase implements ApiWord {
    /** No phase was written yet. */
    NONE(""),
    PENDING("Pending"),
    AVAILABLE("Available"),
    BOUND("Bound"),
    RELEASED("Released"),
    FAILED("Failed"),
    /** A word that this version does not know; counts as neither available nor released. */
    UNKNOWN("");

    private final String apiName;

    VolumePhase(String apiName) {
        this.apiName = apiName;
    }

    @Override
    public String apiName() {
        return apiName;
    }

    @Override
    public boolean known() {
        return this != UNKNOWN;
    }
}
