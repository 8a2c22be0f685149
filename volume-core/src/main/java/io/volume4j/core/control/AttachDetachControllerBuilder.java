package io.volume4j.core.control;

import io.volume4j.core.control.attach.AttachAgent;
import io.volume4j.core.control.attach.AttachOptions;
import io.volume4j.core.plugins.PluginRegistry;
import io.volume4j.spi.host.FencingAuthority;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Builds an {@link AttachDetachController}. A cluster (source and writer) and plugins are required. Everything else
 * has a default. Not thread-safe.
 *
 * @since 0.1.0
 */
public final class AttachDetachControllerBuilder extends ControllerBuilder<AttachDetachControllerBuilder> {
    private @Nullable PluginRegistry plugins;
    private FencingAuthority fencing = FencingAuthority.none();
    private AttachOptions options = AttachOptions.standard();

    AttachDetachControllerBuilder() {
        super("an attach/detach controller", Duration.ofMinutes(2));
    }

    /** The plugins. A volume manager in the same process may share them. Required. */
    public AttachDetachControllerBuilder plugins(PluginRegistry value) {
        plugins = given("plugins", value);
        return this;
    }

    /**
     * The authority that can prove that a node no longer reaches its volumes; by default none. The controller asks
     * only about unhealthy nodes with volumes that no pod wants there.
     */
    public AttachDetachControllerBuilder fencing(FencingAuthority value) {
        fencing = given("fencing", value);
        return this;
    }

    /** An {@link ExternalAttacher} or another program executes the VolumeAttachments of the driver. */
    public AttachDetachControllerBuilder externalAttacher(String driver) {
        Set<String> drivers = new LinkedHashSet<>(options.externalAttachers());
        drivers.add(Objects.requireNonNull(driver, "driver"));
        options = options.withExternalAttachers(drivers);
        return this;
    }

    /**
     * Stores the VolumeAttachments of CSI volumes that this controller executes with the names of Kubernetes'
     * attach-detach controller and the finalizer of the driver's external-attacher. These two programs can then
     * replace this controller at any time, also after a crash, and find the attachments. Off by default: the names
     * are then the library's own.
     *
     * <p>Kubernetes' names contain the node, so the store would accept two VolumeAttachments for a volume that only
     * one node may have. Therefore an annotation of the PersistentVolume refuses the second one, at the cost of one
     * write for each attachment. A volume without a PersistentVolume that only one node may have keeps a name of this
     * library.
     *
     * @since 0.1.0
     */
    public AttachDetachControllerBuilder kubernetesNames() {
        options = options.withKubernetesNames(true);
        return this;
    }

    /** How many volumes of the driver a node may have, if the node's {@code allocatable} does not contain it. */
    public AttachDetachControllerBuilder attachLimit(String driver, int volumesPerNode) {
        if (volumesPerNode < 1) {
            throw new IllegalArgumentException("attachLimit must be at least 1, not " + volumesPerNode);
        }
        Map<String, Integer> limits = new LinkedHashMap<>(options.attachLimits());
        limits.put(driver, volumesPerNode);
        options = options.withAttachLimits(limits);
        return this;
    }

    /**
     * How often the controller asks each backend, in one call, which volumes are attached. Default one minute; zero
     * for never, otherwise at least one second.
     */
    public AttachDetachControllerBuilder verifyEvery(Duration value) {
        if (!value.isZero() && value.compareTo(Duration.ofSeconds(1)) < 0) {
            throw new IllegalArgumentException("verifyEvery must be zero or at least a second, not " + value);
        }
        options = options.withVerifyEvery(value);
        return this;
    }

    /**
     * How often the controller asks the fencing authority about a node while volumes wait for the answer; 10 seconds
     * by default.
     */
    public AttachDetachControllerBuilder askFenceEvery(Duration value) {
        options = options.withAskFenceEvery(positive("askFenceEvery", value));
        return this;
    }

    /**
     * Detaches volumes that no pod wants from a node that is gone or not ready for this time, <em>without any
     * evidence</em> that the node no longer writes to them. Off by default. A host that turns this on accepts that
     * two nodes may write to one volume and destroy its content. The controller reports each such detach with a
     * warning event, a metric and a log line.
     */
    public AttachDetachControllerBuilder acceptRiskAfter(Duration value) {
        options = options.withAcceptedRiskAfter(positive("acceptRiskAfter", value));
        return this;
    }

    /**
     * Builds the controller. It does nothing before {@link AttachDetachController#start()}.
     * @throws IllegalStateException if a required part is missing
     */
    public AttachDetachController build() {
        ControllerSettings settings = settings(plugins, "plugins(…)");
        AgentThreads threads = AgentThreads.start("attach", settings);
        return new AttachProcess(
                threads.build(
                        ports -> new AttachAgent(ports, fencing, settings.attachOptions(options), settings.listener())),
                threads,
                settings.limits());
    }

    @Override
    AttachDetachControllerBuilder self() {
        return this;
    }
}
