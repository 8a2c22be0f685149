package io.volume4j.spi.model;

/**
 * When the controller binds a claim of a class: at once, or after its first pod has a node.
 *
 * @since 0.1.0
 */
public enum VolumeBindingMode implements ApiWord {
    IMMEDIATE("Immediate"),
    WAIT_FOR_FIRST_CONSUMER("WaitForFirstConsumer"),
    /** A word that this version does not know. The library does not bind claims of the class. */
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
