/**
 * Agents that work with a cluster behind HTTP: one for each node, one for the control plane, and a store to try them on. To be
 * copied; what to read first is {@link io.volume4j.examples.agent.Role}.
 */
@NullMarked
package io.volume4j.examples.agent;

import org.jspecify.annotations.NullMarked;
