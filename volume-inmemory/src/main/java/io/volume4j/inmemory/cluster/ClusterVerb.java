package io.volume4j.inmemory.cluster;

import io.volume4j.inmemory.fault.Words;

/**
 * The kinds of requests to a cluster.
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

    /** The word in scenario files. */
    public String word() {
        return word;
    }

    /**
     * The verb with this word in scenario files.
     * @throws IllegalArgumentException if there is none; the message lists the known words
     */
    public static ClusterVerb ofWord(String word) {
        return Words.find("verb", word, values(), ClusterVerb::word);
    }
}
