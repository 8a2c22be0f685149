package io.volume4j.inmemory.sim;

import io.volume4j.core.assembly.ControllerFeatures;
import io.volume4j.core.assembly.SimulatedControllers;
import io.volume4j.core.explain.Explanation;
import io.volume4j.core.plugins.PluginRegistry;
import io.volume4j.core.volumes.AttachMode;
import io.volume4j.inmemory.plugin.InMemoryPopulator;
import io.volume4j.spi.model.ObjectKey;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A control-plane process, with the controllers as production builds them.
 *
 * @since 0.1.0
 */
public final class ControlProcess extends SimProcess {
    /** The namespace of the prime claims. */
    public static final String FILLING = "filling";

    private @Nullable SimulatedControllers controllers;
    private @Nullable PluginRegistry plugins;

    ControlProcess(String name, Simulation world) {
        super(name, world);
    }

    /** The controllers of the present incarnation, empty while the process is down. */
    Optional<SimulatedControllers> controllers() {
        return Optional.ofNullable(controllers);
    }

    /** Whether it has nothing to do, or another process leads. */
    public boolean quiet() {
        return controllers == null
                || (controllers.objectsQuiet() && (world().leases().holder() != this || controllers.attachQuiet()));
    }

    /** Whether it runs and reconciles claims and volumes. */
    public boolean binds() {
        return controllers != null && controllers.objects().isPresent();
    }

    /** Whether it runs, and attaches and detaches. False in a world whose nodes attach by themselves. */
    public boolean attaches() {
        return controllers != null && controllers.attaching().isPresent();
    }

    /** Explains the state of the object. Fails if the process is down. */
    public CompletableFuture<Explanation> explain(ObjectKey object) {
        return controllers == null ? down() : controllers.explain(object);
    }

    /** Explains the attachments of the node. Fails unless the process {@link #attaches}. */
    public CompletableFuture<Explanation> explainNode(String node) {
        return controllers == null ? down() : controllers.explainNode(node);
    }

    private <T> CompletableFuture<T> down() {
        return CompletableFuture.failedFuture(new IllegalStateException(name() + " is down"));
    }

    /** The plugins of the present incarnation, empty while the process is down. */
    public Optional<PluginRegistry> plugins() {
        return Optional.ofNullable(plugins);
    }

    @Override
    @Nullable
    NodeProcess place() {
        return world().controllersPlace();
    }

    @Override
    void begin() {
        Makeup makeup = world().makeup();
        Makeup.Control control = makeup.control();
        ProcessCluster cluster = newCluster();
        PluginRegistry registry = newControlPlugins();
        plugins = registry;
        SimulatedControllers started =
                newControllers(cluster, registry, world().leases().of(this));
        controllers = started;
        if (control.binding()) {
            started.reconcileObjects(features(control));
        }
        if (makeup.attachMode() == AttachMode.CONTROLLER) {
            started.attach(
                    (node, context) -> world().fences().evidence(node),
                    control.verifyEvery(),
                    control.attachLimits(),
                    world().processes().attachedOutside(),
                    control.kubernetesNames());
        }
    }

    private ControllerFeatures features(Makeup.Control control) {
        ControllerFeatures features = ControllerFeatures.ofController();
        for (String word : control.features()) {
            if (word.equals("populators")) {
                features.fills(FILLING, List.of(InMemoryPopulator.on(world().storage())));
            } else {
                features.named(word);
            }
        }
        return features;
    }

    @Override
    void died() {
        controllers = null;
        plugins = null;
    }
}
