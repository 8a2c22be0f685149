package io.volume4j.core.control.binding;

import io.volume4j.core.control.binding.plan.BindingView;
import io.volume4j.core.control.host.ClusterStep;
import io.volume4j.core.engine.Planner;

/**
 * The part of binding that a controller does.
 *
 * @param planner plans everything, or only the volumes of one provisioner, or nothing
 * @param matches whether the controller matches claims with free volumes
 * @param attributes whether another feature of the controller handles volume attributes classes, so that claims wait for them
 * @param dataSources whether the controller reads grants between namespaces and populators
 */
public record BindingSettings(
        Planner<BindingView, ClusterStep> planner, boolean matches, boolean attributes, boolean dataSources) {}
