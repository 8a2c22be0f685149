package io.volume4j.core.control.run;

import io.volume4j.core.control.binding.Annotation;
import io.volume4j.core.control.binding.BindingPlanner;
import io.volume4j.core.control.binding.BindingStep;
import io.volume4j.core.control.binding.BindingView;
import io.volume4j.core.control.binding.ProvisionerPlanner;
import io.volume4j.core.engine.Planner;

/**
 * What an agent is there for: the same world and the same steps, under another policy.
 *
 * @param name for operation ids and metrics
 * @param finalizer with which volumes are kept that are made under this duty
 * @param matches whether claims are matched with free volumes
 */
public record Duty(String name, Planner<BindingView, BindingStep> planner, String finalizer, boolean matches) {
    /** Everything about claims and volumes. */
    public static Duty binding() {
        return new Duty("binding", new BindingPlanner(), Annotation.RECLAIM_FINALIZER, true);
    }

    /** Making and deleting volumes in the name of one provisioner, beside a binding controller elsewhere. */
    public static Duty provisioning(String provisioner) {
        return new Duty("provisioner", new ProvisionerPlanner(provisioner), Annotation.EXTERNAL_FINALIZER, false);
    }
}
