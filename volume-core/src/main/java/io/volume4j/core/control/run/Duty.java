package io.volume4j.core.control.run;

import io.volume4j.core.control.binding.BindingSettings;
import io.volume4j.core.control.binding.plan.Annotation;
import io.volume4j.core.control.binding.plan.BindingPlanner;
import io.volume4j.core.control.binding.plan.BindingView;
import io.volume4j.core.control.binding.plan.ProvisionerPlanner;
import io.volume4j.core.control.host.ClusterStep;
import io.volume4j.core.control.populate.Populators;
import io.volume4j.core.engine.Plan;
import io.volume4j.core.engine.Planner;
import io.volume4j.spi.plugin.Populator;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * What an agent is there for: the same world and the same steps, under another policy.
 *
 * @param name for operation ids and metrics
 * @param finalizer with which volumes are kept that are made under this duty
 * @param matches whether claims are matched with free volumes
 * @param tasks what it does besides
 * @param only the plugin whose volumes it expands, {@code ""} for all
 * @param populators what fills volumes before claims get them
 */
public record Duty(
        String name,
        Planner<BindingView, ClusterStep> planner,
        String finalizer,
        boolean matches,
        Set<Task> tasks,
        String only,
        Populators populators) {
    /** Without anything that fills volumes. */
    public Duty(
            String name,
            Planner<BindingView, ClusterStep> planner,
            String finalizer,
            boolean matches,
            Set<Task> tasks,
            String only) {
        this(name, planner, finalizer, matches, tasks, only, Populators.none());
    }

    public Duty {
        Set<Task> ordered = EnumSet.noneOf(Task.class);
        ordered.addAll(tasks);
        tasks = Collections.unmodifiableSet(ordered);
    }

    /** Everything about claims and volumes. */
    public static Duty binding() {
        return new Duty("binding", new BindingPlanner(), Annotation.RECLAIM_FINALIZER, true, Set.of(), "");
    }

    /** Making and deleting volumes in the name of one provisioner, beside a binding controller elsewhere. */
    public static Duty provisioning(String provisioner) {
        return new Duty(
                "provisioner", new ProvisionerPlanner(provisioner), Annotation.EXTERNAL_FINALIZER, false, Set.of(), "");
    }

    /** Expanding and changing volumes in the name of one plugin, beside controllers elsewhere. */
    public static Duty resizing(String driver) {
        return new Duty("resizer", view -> Plan.nothing(), "", false, EnumSet.of(Task.EXPANSION), driver);
    }

    /** The same with these tasks besides. */
    public Duty also(Set<Task> more) {
        Set<Task> all = EnumSet.noneOf(Task.class);
        all.addAll(tasks);
        all.addAll(more);
        return new Duty(name, planner, finalizer, matches, all, only, populators);
    }

    /** Making, watching and destroying snapshots, beside controllers elsewhere; of one plugin, or of all if it is {@code ""}. */
    public static Duty snapshotting(String driver) {
        return new Duty("snapshotter", view -> Plan.nothing(), "", false, EnumSet.of(Task.SNAPSHOTS), driver);
    }

    /**
     * The same, and these fill volumes; what they may be filled from is read, too.
     *
     * @param namespace where claims are made for the filling
     */
    public Duty filling(String namespace, List<Populator> with) {
        Populators more = new Populators(namespace, with);
        Duty all = also(EnumSet.of(Task.POPULATION, Task.DATA_SOURCES));
        return new Duty(name, planner, finalizer, matches, all.tasks(), only, more);
    }

    /** What it decides about claims and volumes. */
    BindingSettings settings() {
        return new BindingSettings(
                planner, finalizer, matches, has(Task.EXPANSION) || has(Task.PROTECTION), has(Task.DATA_SOURCES));
    }

    /** Whether snapshots mean anything to it. */
    boolean snapshots() {
        return has(Task.SNAPSHOTS) || has(Task.RESTORES);
    }

    boolean has(Task task) {
        return tasks.contains(task);
    }
}
