/**
 * Fills volumes from objects that plugins do not support, before the claims get the volumes.
 * {@link io.volume4j.core.control.populate.PopulatePlanner} makes the decisions.
 *
 * <p>Depends on {@code core.control.host} alone.
 */
package io.volume4j.core.control.populate;
