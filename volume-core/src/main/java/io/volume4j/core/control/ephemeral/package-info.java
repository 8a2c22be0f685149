/**
 * Claims that come with pods: those of ephemeral volumes, which belong to one pod and go with it, and those of claim
 * templates, which stay for the next pod of the name. {@link io.volume4j.core.control.ephemeral.EphemeralPlanner} decides.
 *
 * <p>Depends on {@code core.control.host} alone.
 */
package io.volume4j.core.control.ephemeral;
