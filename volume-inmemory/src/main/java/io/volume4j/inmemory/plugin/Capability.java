package io.volume4j.inmemory.plugin;

import io.volume4j.inmemory.fault.Words;

/**
 * The capabilities that a test can switch on and off in an {@link InMemoryPlugin}.
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
    /** Lists the health of its volumes, in addition to {@link #HEALTH}. */
    HEALTH_LIST("healthList");

    private final String word;

    Capability(String word) {
        this.word = word;
    }

    /** The key in scenario files. */
    public String word() {
        return word;
    }

    /**
     * The capability with this key in scenario files.
     * @throws IllegalArgumentException if there is none; the message lists the known keys
     */
    public static Capability ofWord(String word) {
        return Words.find("capability", word, values(), Capability::word);
    }
}
