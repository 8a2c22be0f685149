/**
 * The node's half of the library: which volumes the pods of this machine want, what is mounted here, the planner that
 * compares the two, and the journal rows by which it is known again after a crash.
 *
 * <p>Start reading at {@link io.volume4j.core.node.NodePlanner}. Everything but the bodies of calls happens on one event
 * loop. May depend on the engine, the journal, the object cache and the plugin registry; only the public {@code
 * VolumeManager} and the simulator may depend on it.
 */
package io.volume4j.core.node;
