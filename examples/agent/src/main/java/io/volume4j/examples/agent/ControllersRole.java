package io.volume4j.examples.agent;

import io.volume4j.core.control.AttachDetachController;
import io.volume4j.core.control.AttachDetachControllerBuilder;
import io.volume4j.core.control.PersistentVolumeController;
import io.volume4j.core.control.PersistentVolumeControllerBuilder;
import io.volume4j.core.control.VolumeBinder;
import io.volume4j.core.events.ClusterEvents;
import io.volume4j.core.plugins.PluginRegistry;
import io.volume4j.examples.agent.schedule.PodScheduler;
import io.volume4j.spi.host.ClusterSource;
import io.volume4j.spi.host.ClusterWriter;
import io.volume4j.spi.model.ObjectKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The control plane: every controller of the library in one process. Run two or three such processes: a Lease or etcd elects
 * the active one.
 */
final class ControllersRole implements Role {
    private static final Logger LOG = LoggerFactory.getLogger(ControllersRole.class);

    private final ClusterEvents events;
    private final Leadership leadership;
    private final PersistentVolumeController claims;
    private final AttachDetachController attachments;

    /** Empty if another program schedules pods. */
    private final Optional<PodScheduler> scheduler;

    /** Without a live view. */
    <C extends ClusterSource & ClusterWriter> ControllersRole(
            C cluster, PluginRegistry plugins, ObjectKey lease, Measured measured) {
        this(cluster, plugins, Leadership.byLease(cluster, lease), false, measured, Shown.nowhere());
    }

    /**
     * @param leadership how processes of this role elect a leader
     * @param schedules whether this process schedules pods
     */
    <C extends ClusterSource & ClusterWriter> ControllersRole(
            C cluster,
            PluginRegistry plugins,
            Leadership leadership,
            boolean schedules,
            Measured measured,
            Shown shown) {
        this.leadership = leadership;
        events = ClusterEvents.builder().cluster(cluster).build();
        PersistentVolumeControllerBuilder binding = PersistentVolumeController.builder()
                .cluster(cluster, cluster)
                .plugins(plugins)
                .leader(leadership.epoch())
                .events(events)
                .metrics(measured.sink())
                .protectsWhatIsUsed()
                .makesPodClaims()
                .expandsVolumes()
                .takesSnapshots()
                .takesGroupSnapshots()
                .restoresSnapshots()
                .movesVolumes()
                .readsDataSources()
                .publishesCapacity()
                .tellsHealth()
                .tellsSeLinuxConflicts()
                .listener(step -> Steps.log(step.description(), step.ended(), step.took(), step.failure()));
        if (schedules) {
            VolumeBinder binder =
                    VolumeBinder.builder().cluster(cluster, cluster).build();
            binding.volumeBinder(binder);
            scheduler = Optional.of(new PodScheduler(cluster, binder, leadership.epoch(), events));
        } else {
            scheduler = Optional.empty();
        }
        claims = shown.controller("claims", binding, PersistentVolumeControllerBuilder::build);
        AttachDetachControllerBuilder attaching = AttachDetachController.builder()
                .cluster(cluster, cluster)
                .plugins(plugins)
                .leader(leadership.epoch())
                .fencing(leadership.fencing())
                .kubernetesNames()
                .events(events)
                .metrics(measured.sink())
                .listener(step -> Steps.log(step.description(), step.ended(), step.took(), step.failure()));
        attachments = shown.controller("attachments", attaching, AttachDetachControllerBuilder::build);
        measured.checks().of(leadership.health());
        measured.checks().of(claims::health);
        measured.checks().of(attachments::health);
    }

    @Override
    public void start() {
        leadership.begins().run();
        claims.start();
        attachments.start();
        scheduler.ifPresent(PodScheduler::start);
        LOG.atInfo().addKeyValue("role", "controllers").log("controllers started");
    }

    PersistentVolumeController claims() {
        return claims;
    }

    @Override
    public List<String> close() {
        scheduler.ifPresent(PodScheduler::close);
        List<String> left = new ArrayList<>(claims.closeReportingLeft());
        left.addAll(attachments.closeReportingLeft());
        leadership.ends().run();
        events.close();
        return left;
    }
}
