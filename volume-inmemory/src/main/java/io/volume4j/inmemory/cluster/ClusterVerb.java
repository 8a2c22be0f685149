package io.volume4j.inmemory.cluster;

/** What can be asked of a cluster. */
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
}
