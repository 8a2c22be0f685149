package io.volume4j.spi.model;

/**
 * The phase of a PersistentVolumeClaim.
 *
 * @since 0.1.0
 */
public enum ClaimPhase implements ApiWord {
    /** The controller has not written a phase yet. */
    NONE(""),
    PENDING("Pending"),
    BOUND("Bound"),
    /** The claim's volume does not exist or belongs to another claim. */
    LOST("Lost"),
    /** A word that this version does not know. The library treats the claim as not bound. */
    UNKNOWN("");

    private final String apiName;

    ClaimPhase(String apiName) {
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
