package io.volume4j.csi;

import java.util.Collections;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * The identity and the capabilities of a driver.
 * @param name the name from GetPluginInfo, which is also the name of the plugin
 * @param vendorVersion the version of the driver; opaque. With other options the same version may have other capabilities
 * @param capabilities the capabilities of the plugin, its controller, its node service and its group controller, with
 *     the names of the CSI specification. Each has its service as prefix: {@code controller.EXPAND_VOLUME}
 * @since 0.1.0
 */
public record CsiDriverInfo(String name, String vendorVersion, SortedSet<String> capabilities) {
    public CsiDriverInfo {
        capabilities = Collections.unmodifiableSortedSet(new TreeSet<>(capabilities));
    }

    /** Whether the driver has this capability, for example {@code node.STAGE_UNSTAGE_VOLUME}. */
    public boolean has(String capability) {
        return capabilities.contains(capability);
    }
}
