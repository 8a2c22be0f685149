package io.volume4j.examples.agent;

import io.volume4j.core.plugins.PluginRegistry;
import io.volume4j.csi.CsiEndpoint;
import io.volume4j.csi.CsiNodeObjects;
import io.volume4j.csi.CsiObjects;
import io.volume4j.csi.CsiRegistrar;
import io.volume4j.csi.CsiRegistrarListener;
import io.volume4j.examples.agent.http.CachedLists;
import io.volume4j.examples.commandline.Usage;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.host.ClusterSource;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.TypedReference;
import io.volume4j.spi.model.VolumeAttributesClass;
import io.volume4j.spi.plugin.Provisioner.ContentSource;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The CSI drivers of a process, as plugins of its registry while they run. */
final class CsiDrivers {
    private CsiDrivers() {}

    /**
     * The sockets of CSI drivers, by driver.
     *
     * @param csi {@code DRIVER=unix:///PATH}
     */
    static Map<String, CsiEndpoint> endpoints(List<String> csi) {
        Map<String, CsiEndpoint> endpoints = new LinkedHashMap<>();
        for (String text : csi) {
            int equals = text.indexOf('=');
            if (equals < 1) {
                throw new Usage(
                        "--csi is DRIVER=unix:///PATH, such as hostpath.csi.k8s.io=unix:///csi/csi.sock, not " + text);
            }
            try {
                if (endpoints.put(text.substring(0, equals), CsiEndpoint.parse(text.substring(equals + 1))) != null) {
                    throw new Usage("--csi names " + text.substring(0, equals) + " twice; leave one out");
                }
            } catch (IllegalArgumentException noSocket) {
                throw new Usage("--csi " + text + ": " + noSocket.getMessage());
            }
        }
        return endpoints;
    }

    /**
     * Drivers for the control plane of a cluster, with the sockets of their controllers.
     *
     * @param checks gets the state of the drivers
     * @param nodes the source of all nodes; each new volume needs them once
     */
    static CsiRegistrar ofControlPlane(
            PluginRegistry registry,
            Map<String, CsiEndpoint> endpoints,
            ClusterSource cluster,
            CachedLists nodes,
            Checks checks) {
        CsiRegistrar.Builder builder =
                CsiRegistrar.builder(registry).listener(checks.before(CsiRegistrarListener.NONE));
        endpoints.forEach((driver, endpoint) -> builder.endpoint(
                endpoint,
                plugin -> plugin.nodes(CsiNodeObjects.of(nodes, driver)).objects(new AttributeClasses(cluster))));
        return builder.start();
    }

    /**
     * Drivers that register in a directory of their node.
     *
     * @throws VolumeException if the directory cannot be watched
     */
    static CsiRegistrar ofNode(PluginRegistry registry, Path directory, CsiRegistrarListener listener) {
        return CsiRegistrar.builder(registry)
                .directory(directory)
                .listener(listener)
                .start();
    }

    /** Without data sources: the controllers resolve them and pass the handle to the plugin. */
    private record AttributeClasses(ClusterSource cluster) implements CsiObjects {
        @Override
        public Optional<ContentSource> contentSource(String namespace, TypedReference reference) {
            return Optional.empty();
        }

        @Override
        public Optional<Map<String, String>> volumeAttributes(String className) {
            return cluster.readLive(new ObjectKey(Kind.VOLUME_ATTRIBUTES_CLASS, "", className))
                    .map(VolumeAttributesClass.class::cast)
                    .map(VolumeAttributesClass::parameters);
        }
    }
}
