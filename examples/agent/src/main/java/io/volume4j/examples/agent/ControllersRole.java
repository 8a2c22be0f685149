package io.volume4j.examples.agent;

import io.volume4j.core.control.AttachDetachController;
import io.volume4j.core.control.PersistentVolumeController;
import io.volume4j.core.plugins.PluginRegistry;
import io.volume4j.spi.host.ClusterSource;
import io.volume4j.spi.host.ClusterWriter;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The control plane: one process of it for a cluster. Two do no harm, because what is written is compared with what is
 * there; but they do everything twice, and a host that wants a second one to stand by gives both builders a {@code
 * LeaderEpoch}.
 */
final class ControllersRole implements Role {
    private static final Logger LOG = LoggerFactory.getLogger(ControllersRole.class);

    private final PersistentVolumeController claims;
    private final AttachDetachController attachments;

    <C extends ClusterSource & ClusterWriter> ControllersRole(C cluster, PluginRegistry plugins) {
        claims = PersistentVolumeController.builder()
                .cluster(cluster, cluster)
                .plugins(plugins)
                .listener(step -> Steps.log(step.description(), step.ended(), step.took(), step.failure()))
                .build();
        attachments = AttachDetachController.builder()
                .cluster(cluster, cluster)
                .plugins(plugins)
                .listener(step -> Steps.log(step.description(), step.ended(), step.took(), step.failure()))
                .build();
    }

    @Override
    public void start() {
        claims.start();
        attachments.start();
        LOG.info("action=start role=controllers");
    }

    PersistentVolumeController claims() {
        return claims;
    }

    @Override
    public List<String> close() {
        List<String> left = new ArrayList<>(claims.closeReportingLeft());
        left.addAll(attachments.closeReportingLeft());
        return left;
    }
}
