package io.volume4j.spi.model;

/**
 * When a claim of a class is bound: at once, or when its first pod has been given a node.
 *
 * @since 0.1.0
 */
public enum VolumeBindingMode implements ApiWord {
    IMMEDIATE("Immediate"),
    WAIT_FOR_FIRST_CONSUMER("WaitForFirstConsumer"),
    /** A word that this version does not know: claims of the class wait. */
    UNKNOWN("");

    private final String apiName;

    VolumeBindingMode(String apiName) {
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
