package io.volume4j.inmemory.plugin;

import io.volume4j.inmemory.fault.Words;

/**
 * What an {@link InMemoryPlugin} can be told to have or not.
 *
 * @since 0.1.0
 */
public enum Capability {
    PROVISION("provision"),
    DELETE("delete"),
    RECYCLE("recycle"),
    ATTACH("attach"),
    DEVICE_MOUNT("deviceMount"),
    MOUNT("mount"),
    BLOCK("block"),
    EXPAND("expand"),
    NODE_EXPAND("nodeExpand"),
    SNAPSHOT("snapshot"),
    GROUP_SNAPSHOT("groupSnapshot"),
    MODIFY("modify"),
    OBSERVE("observe"),
    CAPACITY("capacity"),
    TOPOLOGY("topology"),
    LIMITS("limits"),
    STATS("stats"),
    HEALTH("health"),
    /** Lists how its volumes are, besides {@link #HEALTH}. */
    HEALTH_LIST("healthList");

    private final String word;

    Capability(String word) {
        this.word = word;
    }

    /** The key by which scenario files switch it. */
    public String word() {
        return word;
    }

    /**
     * The capability that a scenario file means.
     *
     * @throws IllegalArgumentException if there is none; the message lists those that there are
     */
    public static Capability ofWord(String word) {
        return Words.find("capability", word, values(), Capability::word);
    }
}
