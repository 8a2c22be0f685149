/**
 * Attaches and detaches volumes on the control plane. The package has the desired state (nodes, their volumes, their
 * pods), the actual state (VolumeAttachments, the durable records of all attachments), and the agents that combine
 * worlds, planners and calls. {@link io.volume4j.core.control.attach.plan} has the pure planners,
 * {@link io.volume4j.core.control.attach.call} the calls of workers; both are independent of the worlds.
 *
 * <p>Depends on the engine, the object cache, the plugin registry and {@link io.volume4j.core.grants}; never on the
 * node's side. The public controllers in {@link io.volume4j.core.control} are thin shells around the agents here.
 */
package io.volume4j.core.control.attach;
