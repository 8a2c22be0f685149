package io.volume4j.inmemory.sim;

import io.volume4j.core.control.attach.AttachOptions;
import io.volume4j.core.control.attach.ExternalAttacherAgent;
import io.volume4j.core.control.host.ControlPorts;
import io.volume4j.core.control.run.BindingAgent;
import io.volume4j.core.control.run.Duty;
import io.volume4j.core.control.run.Task;
import io.volume4j.core.explain.Explanation;
import io.volume4j.spi.host.LeaderEpoch;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.ObjectKey;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * What works in the name of one driver apart from the controllers, as the sidecars of CSI drivers do: it meets them only in the
 * cluster's objects. Each is the only one of its kind for its driver, so that it needs no election.
 *
 * @since 0.1.0
 */
public final class OutsideProcess extends SimProcess {
    private final Role role;
    private final String driver;
    private @Nullable BindingAgent objects;
    private @Nullable ExternalAttacherAgent records;

    /** What it does. */
    public enum Role {
        /** Makes volumes for claims of its driver's classes, and deletes them. */
        PROVISIONER("provisioner"),
        /** Carries out the VolumeAttachments of its driver. */
        ATTACHER("attacher"),
        /** Makes volumes of its driver larger, and changes their attributes. */
        RESIZER("resizer");

        private final String word;

        Role(String word) {
            this.word = word;
        }

        /** As scenario files call it. */
        public String word() {
            return word;
        }
    }

    OutsideProcess(Role role, String driver, Simulation world) {
        super(role.word() + "/" + driver, world);
        this.role = role;
        this.driver = driver;
    }

    public String driver() {
        return driver;
    }

    public Role role() {
        return role;
    }

    /** Whether it is down, or has nothing to do. */
    public boolean quiet() {
        return objects == null || objects.quiet();
    }

    /** Whether it runs and has anything to do with objects of that kind. */
    public boolean explains(ObjectKey object) {
        return object.kind() == Kind.VOLUME_ATTACHMENT ? records != null : objects != null;
    }

    /** Why the object is as it is; fails unless it {@link #explains} that. */
    public CompletableFuture<Explanation> explain(ObjectKey object) {
        ExternalAttacherAgent attacher = records;
        BindingAgent agent = objects;
        if (object.kind() == Kind.VOLUME_ATTACHMENT && attacher != null) {
            return attacher.explain(object.name());
        }
        return agent == null
                ? CompletableFuture.failedFuture(new IllegalStateException(name() + " does not know " + object))
                : agent.explain(object);
    }

    @Override
    void begin() {
        ControlPorts ports = new ControlGear(this, LeaderEpoch.alone()).ports();
        switch (role) {
            case PROVISIONER -> work(ports, Duty.provisioning(driver).also(Set.of(Task.RESTORES)));
            case RESIZER -> work(ports, Duty.resizing(driver));
            case ATTACHER -> {
                ExternalAttacherAgent agent = new ExternalAttacherAgent(
                        driver,
                        ports,
                        AttachOptions.standard().withResyncPerSecond(0),
                        transition -> {},
                        world().seams().record());
                records = agent;
                agent.start();
            }
        }
    }

    private void work(ControlPorts ports, Duty duty) {
        BindingAgent agent = new BindingAgent(
                ports,
                ControlProcess.options(),
                duty,
                transition -> {},
                world().seams().binding());
        objects = agent;
        agent.start();
    }

    @Override
    void died() {
        objects = null;
        records = null;
    }
}
