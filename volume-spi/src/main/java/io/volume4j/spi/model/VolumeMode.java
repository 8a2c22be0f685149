package io.volume4j.spi.model;

import java.util.List;

/**
 * Whether a pod gets a volume as files or as a raw device.
 *
 * @since 0.1.0
 */
public enum VolumeMode implements ApiWord {
    FILESYSTEM("Filesystem"),
    BLOCK("Block"),
    /**
     * A word that this version does not know. The library does not bind, provision or mount such a volume until it
     * knows the word.
     */
    UNKNOWN("");

    private static final List<VolumeMode> ALL = List.of(FILESYSTEM, BLOCK);

    private final String apiName;

    VolumeMode(String apiName) {
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

    /** The known volume modes, in order. */
    public static List<VolumeMode> all() {
        return ALL;
    }
}
