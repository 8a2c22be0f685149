package io.volume4j.core.control.binding;

import io.volume4j.core.control.binding.plan.BindingView;
import io.volume4j.core.control.host.ClusterStep;
import io.volume4j.core.engine.Planner;

/**
 * What a controller decides about claims and volumes.
 *
 * @param planner decides: everything, or only what one provisioner makes and deletes, or nothing
 * @param finalizer with which volumes are kept that are made under it
 * @param matches whether claims are matched with free volumes
 * @param attributes whether classes of attributes matter to another feature of the controller, so that claims wait for them
 * @param dataSources whether grants between namespaces and populators are read
 */
public record BindingSettings(
        Planner<BindingView, ClusterStep> planner,
        String finalizer,
        boolean matches,
        boolean attributes,
        boolean dataSources) {}
