/**
 * The control plane: controllers that a host starts beside its orchestrator.
 *
 * <p>Everything public here is API. Depends on the engine, the object cache and the planners of its subpackages; never on
 * the node's side.
 */
package io.volume4j.core.control;
