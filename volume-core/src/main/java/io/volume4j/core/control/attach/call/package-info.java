/**
 * What workers do for attach and detach: writes of nodes and VolumeAttachments, calls that carry a VolumeAttachment out, the term
 * of leadership that they belong to, and what is known of their results until a record says it.
 *
 * <p>Depends on the steps in {@link io.volume4j.core.control.attach.plan} and on the host's calls, never on the worlds.
 */
package io.volume4j.core.control.attach.call;
