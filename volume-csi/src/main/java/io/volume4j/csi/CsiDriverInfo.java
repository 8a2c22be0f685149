package io.volume4j.csi;

import java.util.Collections;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Who a driver is and what it says it can do.
 *
 * @param name as GetPluginInfo tells it; the name of the plugin
 * @param vendorVersion opaque; instances of one version can do the same
 * @param capabilities in the schema's words, such as {@code PUBLISH_UNPUBLISH_VOLUME}; those of the plugin itself, of its
 *     controller, node and group controller, each with its service before it: {@code controller.EXPAND_VOLUME}
 * @since 0.1.0
 */
public record CsiDriverInfo(String name, String vendorVersion, SortedSet<String> capabilities) {
    public CsiDriverInfo {
        capabilities = Collections.unmodifiableSortedSet(new TreeSet<>(capabilities));
    }

    /** Whether the driver says so, for example {@code node.STAGE_UNSTAGE_VOLUME}. */
    public boolean has(String capability) {
        return capabilities.contains(capability);
    }
}
