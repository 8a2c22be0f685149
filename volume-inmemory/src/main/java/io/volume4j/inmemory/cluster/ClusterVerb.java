package io.volume4j.inmemory.cluster;

import io.volume4j.inmemory.fault.Words;

/**
 * What can be asked of a cluster.
 *
 * @since 0.1.0
 */
public enum ClusterVerb {
    CREATE("create"),
    PATCH("patch"),
    PATCH_STATUS("patchStatus"),
    DELETE("delete"),
    LIST("list"),
    READ("read");

    private final String word;

    ClusterVerb(String word) {
        this.word = word;
    }

    /** As scenario files write it. */
    public String word() {
        return word;
    }

    /**
     * The verb that a scenario file means.
     *
     * @throws IllegalArgumentException if there is none; the message lists those that there are
     */
    public static ClusterVerb ofWord(String word) {
        return Words.find("verb", word, values(), ClusterVerb::word);
    }
}
