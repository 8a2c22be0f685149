package io.volume4j.spi.model;

/**
 * What happens to a volume when its claim is deleted.
 *
 * @since 0.1.0
 */
public enum ReclaimPolicy implements ApiWord {
    RETAIN("Retain"),
    DELETE("Delete"),
    RECYCLE("Recycle"),
    /** A word that this version does not know. The library never deletes or recycles such a volume. */
    UNKNOWN("");

    private final String apiName;

    ReclaimPolicy(String apiName) {
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
