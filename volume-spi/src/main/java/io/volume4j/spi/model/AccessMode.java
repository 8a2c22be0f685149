package io.volume4j.spi.model;

import java.util.List;

/**
 * How many nodes or pods may use a volume at once, and how.
 *
 * @since 0.1.0
 */
public enum AccessMode implements ApiWord {
    READ_WRITE_ONCE("ReadWriteOnce", "RWO"),
    READ_ONLY_MANY("ReadOnlyMany", "ROX"),
    READ_WRITE_MANY("ReadWriteMany", "RWX"),
    READ_WRITE_ONCE_POD("ReadWriteOncePod", "RWOP"),
    /**
     * A word that this version does not know. The library does not bind, provision or mount such a volume until it
     * knows the word.
     */
    UNKNOWN("", "?");

    private static final List<AccessMode> ALL =
            List.of(READ_WRITE_ONCE, READ_ONLY_MANY, READ_WRITE_MANY, READ_WRITE_ONCE_POD);

    private final String apiName;
    private final String shortName;

    AccessMode(String apiName, String shortName) {
        this.apiName = apiName;
        this.shortName = shortName;
    }

    @Override
    public String apiName() {
        return apiName;
    }

    @Override
    public boolean known() {
        return this != UNKNOWN;
    }

    /** The known access modes, in order. */
    public static List<AccessMode> all() {
        return ALL;
    }

    /** The abbreviation that kubectl prints. */
    public String shortName() {
        return shortName;
    }

    /** Whether the mode allows several nodes at once. */
    public boolean manyNodes() {
        return this == READ_ONLY_MANY || this == READ_WRITE_MANY;
    }
}
