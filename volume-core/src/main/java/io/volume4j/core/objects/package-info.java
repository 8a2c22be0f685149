/**
 * The cluster's objects as one event loop sees them: listed, watched, listed again when a watch cannot go on, and never
 * older than what the loop itself has written.
 *
 * <p>{@link io.volume4j.core.objects.ObjectCache} is the whole of it. The node's manager and the controllers of the
 * control plane each own one. Depends on the SPI's model and host interfaces only; it knows nothing of volumes' states
 * and must not depend on the engine or on any controller.
 */
package io.volume4j.core.objects;
