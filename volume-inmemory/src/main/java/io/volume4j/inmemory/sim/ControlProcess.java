package io.volume4j.inmemory.sim;

import io.volume4j.core.control.run.BindingAgent;
import io.volume4j.core.control.run.ControlOptions;
import io.volume4j.core.control.run.ControlPorts;
import io.volume4j.core.explain.Explanation;
import io.volume4j.core.plugins.DefaultPluginHost;
import io.volume4j.core.plugins.PluginRegistry;
import io.volume4j.spi.model.ObjectKey;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A control plane: the controllers as production builds them. */
public final class ControlProcess extends SimProcess {
    private @Nullable BindingAgent binding;
    private @Nullable ProcessCluster cluster;
    private @Nullable PluginRegistry plugins;

    ControlProcess(String name, Simulation world) {
        super(name, world);
    }

    /** The reconciler of claims and volumes, empty while the process is down. */
    public Optional<BindingAgent> binding() {
        return Optional.ofNullable(binding);
    }

    /** Why the object is as it is; fails if the process is down. */
    public CompletableFuture<Explanation> explain(ObjectKey object) {
        return binding == null
                ? CompletableFuture.failedFuture(new IllegalStateException(name() + " is down"))
                : binding.explain(object);
    }

    /** The plugins of the present incarnation, empty while the process is down. */
    public Optional<PluginRegistry> plugins() {
        return Optional.ofNullable(plugins);
    }

    @Override
    void begin() {
        Simulation.Plan plan = world().plan();
        ProcessCluster seen = world().clusterFor(this);
        cluster = seen;
        PluginRegistry registry = world().pluginsFor(
                        this,
                        DefaultPluginHost.builder(NodeProcess.ROOT)
                                .secrets(world().secrets())
                                .clock(() -> world().scheduler().now())
                                .build());
        plugins = registry;
        ControlOptions standard = ControlOptions.standard();
        BindingAgent started = new BindingAgent(
                new ControlPorts(
                        name() + "-" + incarnation(),
                        seen,
                        seen,
                        registry,
                        newLoop(),
                        world().traffic().workersOf(this),
                        world().scheduler().random(),
                        world().leases().of(this),
                        world().events(),
                        world().metrics()),
                new ControlOptions(
                        standard.clusterDeadline(),
                        standard.pluginDeadline(),
                        standard.clusterCalls(),
                        Map.of(),
                        standard.backoff(),
                        standard.limits(),
                        0),
                transition -> {},
                plan.bindingSeams());
        binding = started;
        started.start();
    }

    @Override
    void died() {
        binding = null;
        cluster = null;
        plugins = null;
    }

    @Nullable
    ProcessCluster cluster() {
        return cluster;
    }
}
