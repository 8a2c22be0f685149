/**
 * Expands volumes when their claims request more. Start with {@link io.volume4j.core.control.expand.ExpandPlanner};
 * {@code docs/expansion.md} has its table. {@link io.volume4j.core.control.expand.ExpandFeature} executes its steps.
 *
 * <p>Depends on {@code core.control.host} alone.
 */
package io.volume4j.core.control.expand;
