package io.volume4j.spi.model;

/**
 * What happens to a backend's snapshot when its object is deleted.
 *
 * @since 0.1.0
 */
public enum DeletionPolicy implements ApiWord {
    DELETE("Delete"),
    RETAIN("Retain"),
    /** A word that this version does not know. The library never deletes such a snapshot. */
    UNKNOWN("");

    private final String apiName;

    DeletionPolicy(String apiName) {
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
