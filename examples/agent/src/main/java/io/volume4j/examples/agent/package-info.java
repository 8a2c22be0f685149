/**
 * Agents for a cluster behind HTTP: one for each node, one for the control plane, and a store for tests. Copy this code; read
 * {@link io.volume4j.examples.agent.Role} first.
 */
@NullMarked
package io.volume4j.examples.agent;

import org.jspecify.annotations.NullMarked;
