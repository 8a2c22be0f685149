/**
 * Other attributes for the volumes of claims that ask for them. {@link io.volume4j.core.control.modify.ModifyPlanner} decides; its
 * table stands in {@code docs/expansion.md}.
 *
 * <p>Depends on {@code core.control.host} alone.
 */
package io.volume4j.core.control.modify;
