package io.volume4j.examples.agent;

import io.volume4j.core.VolumeManager;
import io.volume4j.core.VolumeManagerBuilder;
import io.volume4j.core.control.ExternalProvisioner;
import io.volume4j.core.plugins.LoopPlugin;
import io.volume4j.core.plugins.PluginRegistry;
import io.volume4j.core.volumes.AttachMode;
import io.volume4j.spi.host.ClusterException;
import io.volume4j.spi.host.ClusterException.Reason;
import io.volume4j.spi.host.ClusterSource;
import io.volume4j.spi.host.ClusterWriter;
import io.volume4j.spi.host.Patch;
import io.volume4j.spi.host.Preconditions;
import io.volume4j.spi.model.Node;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.ObjectMeta;
import io.volume4j.spi.model.Unmodeled;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The agent of one node: mounts what its pods want and, if it is asked to, makes the volumes that only it can make. */
final class NodeRole implements Role {
    private static final Logger LOG = LoggerFactory.getLogger(NodeRole.class);

    private final ClusterSource source;
    private final ClusterWriter writer;
    private final String name;
    private final VolumeManager volumes;
    private final @Nullable ExternalProvisioner provisioner;

    /** How this node is run. */
    record Options(AttachMode attachMode, boolean journalInMemory, boolean provision) {}

    <C extends ClusterSource & ClusterWriter> NodeRole(C cluster, PluginRegistry plugins, Options options) {
        source = cluster;
        writer = cluster;
        name = plugins.host().nodeName();
        VolumeManagerBuilder builder = VolumeManager.builder()
                .cluster(cluster)
                .clusterWriter(cluster)
                .plugins(plugins)
                .attachMode(options.attachMode())
                .listener(step -> Steps.log(step.description(), step.ended(), step.took(), step.failure()));
        volumes = (options.journalInMemory() ? builder.journalInMemory() : builder).build();
        provisioner = options.provision()
                ? ExternalProvisioner.builder()
                        .cluster(cluster, cluster)
                        .plugin(LoopPlugin.NAME, plugins)
                        .build()
                : null;
    }

    @Override
    public void start() {
        register();
        volumes.start();
        if (provisioner != null) {
            provisioner.start();
        }
        LOG.info("action=start role=node name={}", name);
    }

    VolumeManager volumes() {
        return volumes;
    }

    /** A node that somebody else keeps is left as it is. */
    private void register() {
        ObjectKey key = ObjectKey.node(name);
        if (source.readLive(key).isPresent()) {
            return;
        }
        Node.Status unknown = new Node.Status(false, List.of(), List.of(), Map.of());
        try {
            writer.create(new Node(ObjectMeta.named("", name), new Node.Spec(List.of()), unknown, Unmodeled.none()));
        } catch (ClusterException raced) {
            if (raced.reason() != Reason.ALREADY_EXISTS) {
                throw raced;
            }
        }
        List<Map<String, Object>> ready = List.of(Map.of("type", "Ready", "status", "True"));
        writer.patch(
                key,
                new Patch(Preconditions.none(), true, List.of(Patch.FieldChange.set(ready, "status", "conditions"))));
    }

    @Override
    public List<String> close() {
        List<String> left = new ArrayList<>();
        if (provisioner != null) {
            left.addAll(provisioner.closeReportingLeft());
        }
        left.addAll(volumes.closeReportingLeft());
        return left;
    }
}
