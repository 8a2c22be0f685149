package io.volume4j.core.plugins.content;

/** The sources whose files come from the API instead of a storage. */
public enum ContentKind {
    SECRET("secret", "kubernetes.io/secret"),
    CONFIG_MAP("configMap", "kubernetes.io/configmap"),
    DOWNWARD_API("downwardAPI", "kubernetes.io/downward-api"),
    PROJECTED("projected", "kubernetes.io/projected");

    private final String source;
    private final String plugin;

    ContentKind(String source, String plugin) {
        this.source = source;
        this.plugin = plugin;
    }

    /** Its key in manifests. */
    public String source() {
        return source;
    }

    public String plugin() {
        return plugin;
    }
}
