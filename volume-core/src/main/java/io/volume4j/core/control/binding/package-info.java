/**
 * The feature that binds claims to volumes, makes volumes for claims and deletes them: what it knows beside the objects, its views, its
 * calls, and what an outcome means. What it decides stands in {@link io.volume4j.core.control.binding.plan}, which free volume fits a
 * claim in {@link io.volume4j.core.control.binding.match}.
 *
 * <p>Binding, provisioning and reclaim are one feature, because a claim has one plan that either matches or makes a volume, and a volume
 * one that either gives it to a claim or deletes it. Start with {@link io.volume4j.core.control.binding.BindingFeature}. Depends on the
 * host only; {@code core.assembly} puts it beside other features.
 */
package io.volume4j.core.control.binding;
