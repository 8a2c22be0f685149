package io.volume4j.spi.model;

/**
 * Where a PersistentVolumeClaim is in its life.
 *
 * @since 0.1.0
 */
public enum ClaimPhase implements ApiWord {
    /** No phase was written yet. */
    NONE(""),
    PENDING("Pending"),
    BOUND("Bound"),
    /** Its volume is gone or belongs to another claim. */
    LOST("Lost"),
    /** A word that this version does not know; counts as not bound. */
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
