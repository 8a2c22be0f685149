/**
 * Attaching and detaching from the control plane: what nodes should have (node, its volumes, their pods), what they have or
 * may have (VolumeAttachments, which are the durable record of every attachment), and the agents that put worlds, planners and calls
 * together. The pure planners are in {@link io.volume4j.core.control.attach.plan}, the calls of workers in {@link
 * io.volume4j.core.control.attach.call}; neither knows the worlds here.
 *
 * <p>Depends on the engine, the object cache, the plugin registry and {@link io.volume4j.core.grants}; never on the node's
 * side. The public controllers in {@link io.volume4j.core.control} are thin shells around the agents here.
 */
package io.volume4j.core.control.attach;
