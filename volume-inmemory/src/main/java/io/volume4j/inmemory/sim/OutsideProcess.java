package io.volume4j.inmemory.sim;

import io.volume4j.core.assembly.ControllerFeatures;
import io.volume4j.core.assembly.SimulatedControllers;
import io.volume4j.core.explain.Explanation;
import io.volume4j.spi.host.LeaderEpoch;
import io.volume4j.spi.model.ObjectKey;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A process that works for one driver outside of the controllers, as the sidecars of CSI drivers do. It communicates
 * with the controllers only by the cluster's objects. There is only one process of each role for a driver, so it
 * needs no election.
 *
 * @since 0.1.0
 */
public final class OutsideProcess extends SimProcess {
    private final Role role;
    private final String driver;
    private @Nullable SimulatedControllers controllers;

    /** The role of the process. */
    public enum Role {
        /** Provisions volumes for claims of its driver's classes, and deletes them. */
        PROVISIONER("provisioner"),
        /** Executes the VolumeAttachments of its driver. */
        ATTACHER("attacher"),
        /** Expands the volumes of its driver, and changes their attributes. */
        RESIZER("resizer");

        private final String word;

        Role(String word) {
            this.word = word;
        }

        /** The word in scenario files. */
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
        return controllers == null || controllers.objectsQuiet();
    }

    /** Whether it runs and handles objects of that kind. */
    public boolean explains(ObjectKey object) {
        return controllers != null && controllers.explains(object.kind());
    }

    /** Explains the state of the object. Fails unless it {@link #explains} the object. */
    public CompletableFuture<Explanation> explain(ObjectKey object) {
        return controllers == null
                ? CompletableFuture.failedFuture(new IllegalStateException(name() + " is down"))
                : controllers.explain(object);
    }

    @Override
    @Nullable
    NodeProcess place() {
        return world().controllersPlace();
    }

    @Override
    void begin() {
        SimulatedControllers started = newControllers(newCluster(), newControlPlugins(), LeaderEpoch.alone());
        controllers = started;
        switch (role) {
            case PROVISIONER ->
                started.reconcileObjects(
                        ControllerFeatures.ofProvisioner(driver).restores());
            case RESIZER -> started.reconcileObjects(ControllerFeatures.ofResizer(driver));
            case ATTACHER -> started.carryOutAttachments(driver);
        }
    }

    @Override
    void died() {
        controllers = null;
    }
}
