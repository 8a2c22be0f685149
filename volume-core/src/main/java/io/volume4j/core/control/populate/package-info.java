/**
 * Volumes that are filled before their claims get them, from objects that no plugin knows. {@link
 * io.volume4j.core.control.populate.PopulatePlanner} decides.
 *
 * <p>Depends on {@code core.control.host} alone.
 */
package io.volume4j.core.control.populate;
