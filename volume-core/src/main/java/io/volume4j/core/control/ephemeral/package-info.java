/**
 * Claims that come with pods: those of ephemeral volumes, which belong to one pod and go with it, and those of claim
 * templates, which stay for the next pod of the name. Pure functions; {@code io.volume4j.core.control.run} carries the plans
 * out.
 */
package io.volume4j.core.control.ephemeral;
