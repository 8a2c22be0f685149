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
 * What an {@link AttachDetachController} is made of. Needed are a cluster to read and to write, and plugins; everything else
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

    /** The plugins; may be shared with a volume manager in the same process. Needed. */
    public AttachDetachControllerBuilder plugins(PluginRegistry value) {
        plugins = given("plugins", value);
        return this;
    }

    /** Who can prove that a node is cut off; by default none. Asked only about unhealthy nodes that hold what no pod wants. */
    public AttachDetachControllerBuilder fencing(FencingAuthority value) {
        fencing = given("fencing", value);
        return this;
    }

    /** VolumeAttachments of the driver are carried out by an {@link ExternalAttacher} or another program. */
    public AttachDetachControllerBuilder externalAttacher(String driver) {
        Set<String> drivers = new LinkedHashSet<>(options.externalAttachers());
        drivers.add(Objects.requireNonNull(driver, "driver"));
        options = options.withExternalAttachers(drivers);
        return this;
    }

    /**
     * Stores the VolumeAttachments of CSI volumes that this controller carries out under the names that Kubernetes' attach-detach
     * controller gives them, kept by the finalizer of the driver's external-attacher. Then these two may take this controller's place
     * at any moment, also after it was killed, and find what is attached. Off by default: names are this library's own.
     *
     * <p>Kubernetes' names name the node, so the store would take two for a volume that one node may have. What refuses the second
     * one is then an annotation of the PersistentVolume, which costs a write for each attachment. A volume that has no
     * PersistentVolume and may be on one node keeps a name of this library.
     *
     * @since 0.1.0
     */
    public AttachDetachControllerBuilder kubernetesNames() {
        options = options.withKubernetesNames(true);
        return this;
    }

    /** How many volumes of the driver a node may have, where the node's {@code allocatable} does not say. */
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
     * How often each backend is asked, in one call, what is attached; a minute by default, zero for never, at least a
     * second otherwise.
     */
    public AttachDetachControllerBuilder verifyEvery(Duration value) {
        if (!value.isZero() && value.compareTo(Duration.ofSeconds(1)) < 0) {
            throw new IllegalArgumentException("verifyEvery must be zero or at least a second, not " + value);
        }
        options = options.withVerifyEvery(value);
        return this;
    }

    /** How often the fencing authority is asked about a node while volumes wait for its answer; 10 seconds by default. */
    public AttachDetachControllerBuilder askFenceEvery(Duration value) {
        options = options.withAskFenceEvery(positive("askFenceEvery", value));
        return this;
    }

    /**
     * Takes volumes that no pod wants from a node that is not ready or gone after this time, <em>without any evidence</em>
     * that it does not write to them any more. Off by default. A host that turns it on accepts that two nodes may write to one
     * volume and destroy its content; each such detach is a warning event, a metric and a log line.
     */
    public AttachDetachControllerBuilder acceptRiskAfter(Duration value) {
        options = options.withAcceptedRiskAfter(positive("acceptRiskAfter", value));
        return this;
    }

    /**
     * Makes the controller, which does nothing before {@link AttachDetachController#start()}.
     *
     * @throws IllegalStateException if something needed is missing
     */
    public AttachDetachController build() {
        ControllerSettings settings = settings(plugins, "plugins(…)");
        AgentThreads threads = AgentThreads.start("attach", settings);
        return new AttachProcess(
                new AttachAgent(threads.ports(), fencing, settings.attachOptions(options), settings.listener()),
                threads,
                settings.limits());
    }

    @Override
    AttachDetachControllerBuilder self() {
        return this;
    }
}
