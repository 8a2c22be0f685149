package io.volume4j.core.plugins;

/** The sources whose files come from the API and not from a storage. */
enum ContentKind {
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
    String source() {
        return source;
    }

    String plugin() {
        return plugin;
    }
}
