package io.volume4j.examples.agent;

import io.volume4j.core.plugins.DefaultPluginHost;
import io.volume4j.core.plugins.LoopPlugin;
import io.volume4j.core.plugins.PluginRegistry;
import io.volume4j.core.plugins.VolumePlugins;
import io.volume4j.examples.agent.cluster.HostCluster;
import io.volume4j.spi.mount.MountBackend;
import io.volume4j.spi.plugin.VolumePlugin;
import java.nio.file.Path;
import java.util.List;

/** The plugins of the agents: add yours here. */
final class Plugins {
    private Plugins() {}

    /**
     * All plugins of the library, for this machine, with the secrets and config maps that this node's user may read.
     *
     * @param own plugins with settings of this node, in place of the defaults
     */
    static PluginRegistry ofNode(
            MountBackend machine, Path root, String nodeName, HostCluster cluster, VolumePlugin... own) {
        return PluginRegistry.builder(DefaultPluginHost.builder(root)
                        .nodeName(nodeName)
                        .mounts(machine)
                        .secrets(cluster.secrets())
                        .configs(cluster.configs(nodeName))
                        .build())
                .plugins(List.of(own))
                .defaults(VolumePlugins.defaultPlugins())
                .build();
    }

    /** No plugins, for a process that only registers the CSI drivers of the node. */
    static PluginRegistry ofRegistrar(Path directory, String nodeName) {
        return PluginRegistry.builder(
                        DefaultPluginHost.builder(directory).nodeName(nodeName).build())
                .build();
    }

    /** Whether the control plane has a plugin of that name that is not a CSI driver. */
    static boolean knows(String name) {
        return VolumePlugins.defaultPlugins().stream()
                .anyMatch(plugin -> plugin.name().equals(name) && !name.equals(LoopPlugin.NAME));
    }

    /**
     * All plugins except the loop plugin, whose volumes only a node can create; the node's provisioner serves those
     * claims.
     */
    static PluginRegistry ofControlPlane(HostCluster cluster) {
        return PluginRegistry.builder(DefaultPluginHost.builder(Path.of("/var/lib/volume4j"))
                        .secrets(cluster.secrets())
                        .build())
                .defaults(VolumePlugins.defaultPlugins().stream()
                        .filter(plugin -> !plugin.name().equals(LoopPlugin.NAME))
                        .toList())
                .build();
    }
}
