/**
 * The feature that binds claims to volumes, provisions volumes for claims and deletes them. The package has its state
 * in memory, its views, its calls and the handling of outcomes. {@link io.volume4j.core.control.binding.plan} makes
 * its decisions, and {@link io.volume4j.core.control.binding.match} finds the free volume for a claim.
 *
 * <p>Binding, provisioning and reclaim are one feature. The reason: a claim has one plan, which either matches or
 * provisions a volume. A volume also has one plan, which either binds or deletes it. Start with
 * {@link io.volume4j.core.control.binding.BindingFeature}. Depends on the host only; {@code core.assembly} combines
 * it with other features.
 */
package io.volume4j.core.control.binding;
