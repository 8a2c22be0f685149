package io.volume4j.inmemory.sim;

import io.volume4j.core.control.attach.AttachAgent;
import io.volume4j.core.control.attach.AttachOptions;
import io.volume4j.core.control.host.ControlOptions;
import io.volume4j.core.control.host.ControlPorts;
import io.volume4j.core.control.run.BindingAgent;
import io.volume4j.core.control.run.Duty;
import io.volume4j.core.control.run.Task;
import io.volume4j.core.explain.Explanation;
import io.volume4j.core.plugins.PluginRegistry;
import io.volume4j.core.volumes.AttachMode;
import io.volume4j.inmemory.plugin.InMemoryPopulator;
import io.volume4j.spi.model.ObjectKey;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A control plane: the controllers as production builds them.
 *
 * @since 0.1.0
 */
public final class ControlProcess extends SimProcess {
    /** Where claims have volumes that are being filled. */
    public static final String FILLING = "filling";

    private @Nullable BindingAgent binding;
    private @Nullable AttachAgent attaching;
    private @Nullable PluginRegistry plugins;

    ControlProcess(String name, Simulation world) {
        super(name, world);
    }

    /** The reconciler of claims and volumes, empty while the process is down. */
    public Optional<BindingAgent> binding() {
        return Optional.ofNullable(binding);
    }

    /** What attaches and detaches, empty while the process is down and where nodes attach by themselves. */
    public Optional<AttachAgent> attaching() {
        return Optional.ofNullable(attaching);
    }

    /** Whether it has nothing to do, or another one leads. */
    public boolean quiet() {
        return (binding == null || binding.quiet())
                && (attaching == null || world().leases().holder() != this || attaching.quiet());
    }

    /** Why the object is as it is; fails if the process is down. */
    public CompletableFuture<Explanation> explain(ObjectKey object) {
        return binding == null
                ? CompletableFuture.failedFuture(new IllegalStateException(name() + " is down"))
                : binding.explain(object);
    }

    /** Why volumes are attached to the node or not; fails unless {@link #attaching()}. */
    public CompletableFuture<Explanation> explainNode(String node) {
        return attaching == null
                ? CompletableFuture.failedFuture(new IllegalStateException(name() + " attaches nothing"))
                : attaching.explainNode(node);
    }

    /** The plugins of the present incarnation, empty while the process is down. */
    public Optional<PluginRegistry> plugins() {
        return Optional.ofNullable(plugins);
    }

    @Override
    void begin() {
        Makeup makeup = world().makeup();
        Makeup.Control control = makeup.control();
        ControlGear gear = new ControlGear(this, world().leases().of(this));
        plugins = gear.plugins();
        if (control.binding()) {
            bind(control, gear.ports());
        }
        if (makeup.attachMode() == AttachMode.CONTROLLER) {
            AttachAgent agent = new AttachAgent(
                    gear.ports(),
                    (node, context) -> world().fences().evidence(node),
                    AttachOptions.standard()
                            .withResyncPerSecond(0)
                            .withVerifyEvery(control.verifyEvery())
                            .withAttachLimits(control.attachLimits())
                            .withExternalAttachers(world().processes().attachedOutside()),
                    transition -> {},
                    world().seams().attach(),
                    world().seams().record());
            attaching = agent;
            agent.start();
        }
    }

    private void bind(Makeup.Control control, ControlPorts ports) {
        BindingAgent started = new BindingAgent(
                ports,
                options(),
                duty(control),
                transition -> {},
                world().seams().binding());
        binding = started;
        started.start();
    }

    /** Those of production, without looks at what nothing has happened to. */
    static ControlOptions options() {
        ControlOptions standard = ControlOptions.standard();
        return new ControlOptions(
                standard.clusterDeadline(),
                standard.pluginDeadline(),
                standard.clusterCalls(),
                Map.of(),
                standard.backoff(),
                standard.limits(),
                0);
    }

    private Duty duty(Makeup.Control control) {
        Duty duty = Duty.binding().also(control.tasks());
        return control.tasks().contains(Task.POPULATION)
                ? duty.filling(FILLING, List.of(InMemoryPopulator.on(world().storage())))
                : duty;
    }

    @Override
    void died() {
        binding = null;
        attaching = null;
        plugins = null;
    }
}
