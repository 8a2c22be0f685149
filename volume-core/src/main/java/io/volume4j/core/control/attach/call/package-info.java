/**
 * The work of worker threads for attach and detach: writes of nodes and VolumeAttachments, calls that carry a VolumeAttachment out,
 * and the term of leadership of these calls.
 *
 * <p>Depends on the steps in {@link io.volume4j.core.control.attach.plan} and on the host's calls, never on the worlds.
 */
package io.volume4j.core.control.attach.call;
