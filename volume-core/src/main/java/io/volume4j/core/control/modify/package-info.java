/**
 * Changes the attributes of volumes when their claims request it.
 * {@link io.volume4j.core.control.modify.ModifyPlanner} makes the decisions; {@code docs/expansion.md} has its table.
 *
 * <p>Depends on {@code core.control.host} alone.
 */
package io.volume4j.core.control.modify;
