/**
 * Larger volumes for claims that ask for them. Start with {@link io.volume4j.core.control.expand.ExpandPlanner}; its table stands in
 * {@code docs/expansion.md}. {@link io.volume4j.core.control.expand.ExpandFeature} carries its steps out.
 *
 * <p>Depends on {@code core.control.host} alone.
 */
package io.volume4j.core.control.expand;
