/**
 * Creates the claims of pods. Claims of ephemeral volumes belong to one pod and are deleted with it. Claims of
 * templates stay for the next pod with the same name. {@link io.volume4j.core.control.ephemeral.EphemeralPlanner}
 * makes the decisions.
 *
 * <p>Depends on {@code core.control.host} alone.
 */
package io.volume4j.core.control.ephemeral;
