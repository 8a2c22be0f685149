package io.volume4j.examples.agent;

import io.volume4j.core.control.Controller;
import io.volume4j.core.control.ExternalAttacher;
import io.volume4j.core.control.ExternalAttacherBuilder;
import io.volume4j.core.control.ExternalProvisioner;
import io.volume4j.core.control.ExternalProvisionerBuilder;
import io.volume4j.core.control.ExternalResizer;
import io.volume4j.core.control.ExternalResizerBuilder;
import io.volume4j.core.control.SnapshotController;
import io.volume4j.core.control.SnapshotControllerBuilder;
import io.volume4j.core.events.ClusterEvents;
import io.volume4j.core.lease.LeaseElection;
import io.volume4j.core.plugins.PluginRegistry;
import io.volume4j.spi.host.ClusterSource;
import io.volume4j.spi.host.ClusterWriter;
import io.volume4j.spi.host.MetricsSink;
import io.volume4j.spi.model.ObjectKey;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Single parts of the control plane, next to controllers of another program. Each part has its own Lease. */
final class PartsRole implements Role {
    private static final Logger LOG = LoggerFactory.getLogger(PartsRole.class);

    private final ClusterEvents events;
    private final List<Running> running = new ArrayList<>();

    /** A part with its election. */
    private record Running(Part part, LeaseElection election, Controller controller) {}

    /**
     * @param takeOver whether attachers continue attachments that controllers made themselves
     * @param lease namespace of the parts' Leases, and the prefix of their names
     */
    <C extends ClusterSource & ClusterWriter> PartsRole(
            C cluster,
            PluginRegistry plugins,
            List<Part> parts,
            boolean takeOver,
            ObjectKey lease,
            Measured measured,
            Shown shown) {
        MetricsSink metrics = measured.sink();
        events = ClusterEvents.builder().cluster(cluster).build();
        for (Part part : parts) {
            LeaseElection election = LeaseElection.builder()
                    .cluster(cluster, cluster)
                    .lease(lease.namespace(), part.lease(lease.name()))
                    .build();
            running.add(
                    switch (part.role()) {
                        case PROVISIONER -> provisioner(cluster, plugins, part, election, metrics, shown);
                        case ATTACHER -> attacher(cluster, plugins, part, takeOver, election, metrics, shown);
                        case RESIZER -> resizer(cluster, plugins, part, election, metrics, shown);
                        case SNAPSHOTTER -> snapshotter(cluster, plugins, part, election, metrics, shown);
                    });
        }
        for (Running each : running) {
            measured.checks().of(each.election()::health);
            measured.checks().of(each.controller()::health);
        }
    }

    private <C extends ClusterSource & ClusterWriter> Running provisioner(
            C cluster, PluginRegistry plugins, Part part, LeaseElection election, MetricsSink metrics, Shown shown) {
        ExternalProvisionerBuilder builder = ExternalProvisioner.builder()
                .cluster(cluster, cluster)
                .plugin(part.driver(), plugins)
                .restoresSnapshots()
                .publishesCapacity()
                .leader(election)
                .events(events)
                .metrics(metrics);
        ExternalProvisioner provisioner = shown.controller(part.toString(), builder, ExternalProvisionerBuilder::build);
        return new Running(part, election, provisioner);
    }

    private <C extends ClusterSource & ClusterWriter> Running attacher(
            C cluster,
            PluginRegistry plugins,
            Part part,
            boolean takeOver,
            LeaseElection election,
            MetricsSink metrics,
            Shown shown) {
        ExternalAttacherBuilder builder = ExternalAttacher.builder(part.driver())
                .cluster(cluster, cluster)
                .plugins(plugins)
                .leader(election)
                .metrics(metrics)
                .listener(step -> Steps.log(step.description(), step.ended(), step.took(), step.failure()));
        if (takeOver) {
            builder.takesOver();
        }
        ExternalAttacher attacher = shown.controller(part.toString(), builder, ExternalAttacherBuilder::build);
        return new Running(part, election, attacher);
    }

    private <C extends ClusterSource & ClusterWriter> Running resizer(
            C cluster, PluginRegistry plugins, Part part, LeaseElection election, MetricsSink metrics, Shown shown) {
        ExternalResizerBuilder builder = ExternalResizer.builder()
                .cluster(cluster, cluster)
                .plugin(part.driver(), plugins)
                .leader(election)
                .events(events)
                .metrics(metrics);
        ExternalResizer resizer = shown.controller(part.toString(), builder, ExternalResizerBuilder::build);
        return new Running(part, election, resizer);
    }

    private <C extends ClusterSource & ClusterWriter> Running snapshotter(
            C cluster, PluginRegistry plugins, Part part, LeaseElection election, MetricsSink metrics, Shown shown) {
        SnapshotControllerBuilder builder = SnapshotController.builder()
                .cluster(cluster, cluster)
                .plugins(plugins)
                .onlyDriver(part.driver())
                .takesGroupSnapshots()
                .extraCreateMetadata()
                .leader(election)
                .events(events)
                .metrics(metrics);
        SnapshotController snapshotter = shown.controller(part.toString(), builder, SnapshotControllerBuilder::build);
        return new Running(part, election, snapshotter);
    }

    @Override
    public void start() {
        for (Running each : running) {
            each.election().start();
            each.controller().start();
            LOG.atInfo()
                    .addKeyValue("action", "start")
                    .addKeyValue("role", each.part().role().word())
                    .addKeyValue("driver", each.part().driver())
                    .log("started");
        }
    }

    @Override
    public List<String> close() {
        List<String> left = new ArrayList<>();
        for (Running each : running) {
            left.addAll(each.controller().closeReportingLeft());
            each.election().close();
        }
        events.close();
        return left;
    }
}
