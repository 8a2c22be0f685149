package io.volume4j.core.plugins.flex;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * What a flexvolume driver says of itself at {@code init}; what it leaves out has the protocol's default.
 *
 * @param attach whether its volumes have devices that are attached and mounted once for the node; default true
 * @param selinuxRelabel default true
 * @param supportsMetrics default false
 * @param fsGroup whether the content may be given to the pod's group; default true
 * @param requiresFsResize whether the filesystem is grown by a step of its own; default true
 */
record FlexCapabilities(
        boolean attach, boolean selinuxRelabel, boolean supportsMetrics, boolean fsGroup, boolean requiresFsResize) {
    static FlexCapabilities of(JsonNode tree) {
        return new FlexCapabilities(
                tree.path("attach").asBoolean(true),
                tree.path("selinuxRelabel").asBoolean(true),
                tree.path("supportsMetrics").asBoolean(false),
                tree.path("fsGroup").asBoolean(true),
                tree.path("requiresFSResize").asBoolean(true));
    }
}
