package io.volume4j.spi.model;

/**
 * Whether a pod gets a volume as files or as a raw device.
 *
 * @since 0.1.0
 */
public enum VolumeMode implements ApiWord {
    FILESYSTEM("Filesystem"),
    BLOCK("Block");

    private final String apiName;

    VolumeMode(String apiName) {
        this.apiName = apiName;
    }

    @Override
    public String apiName() {
        return apiName;
    }
}
