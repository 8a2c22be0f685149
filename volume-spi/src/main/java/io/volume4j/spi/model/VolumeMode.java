package io.volume4j.spi.model;

/** Whether a pod gets a volume as files or as a raw device. */
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
