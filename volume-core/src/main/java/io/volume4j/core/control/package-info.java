/**
 * The control plane: controllers that a host runs together with its orchestrator.
 *
 * <p>All public types are API. Depends on the engine, the object cache and the planners of its subpackages, never on
 * the node's packages.
 */
package io.volume4j.core.control;
