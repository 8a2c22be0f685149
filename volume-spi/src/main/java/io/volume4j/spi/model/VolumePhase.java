package io.volume4j.spi.model;

/**
 * The phase of a PersistentVolume.
 *
 * @since 0.1.0
 */
public enum VolumePhase implements ApiWord {
    /** The controller has not written a phase yet. */
    NONE(""),
    PENDING("Pending"),
    AVAILABLE("Available"),
    BOUND("Bound"),
    RELEASED("Released"),
    FAILED("Failed"),
    /** A word that this version does not know. The library treats the volume as neither available nor released. */
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
