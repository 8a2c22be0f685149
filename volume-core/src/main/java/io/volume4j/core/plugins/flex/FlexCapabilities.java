package io.volume4j.core.plugins.flex;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * The capabilities that a flexvolume driver reports at {@code init}. Missing ones have the protocol's default.
 *
 * @param attach whether its volumes have devices that are attached and mounted once for the node; default true
 * @param selinuxRelabel default true
 * @param supportsMetrics default false
 * @param fsGroup whether the node may change the content's group to the pod's; default true
 * @param requiresFsResize whether the filesystem needs a separate expansion step; default true
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
