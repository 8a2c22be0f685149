/**
 * What backends have left, published as CSIStorageCapacity objects for schedulers: one for each class and segment of the
 * topology. {@link io.volume4j.core.control.capacity.CapacityPlanner} decides about one such object; {@link
 * io.volume4j.core.control.capacity.CapacityBook} knows which there are to be, and what the plugins said last.
 *
 * <p>Depends on {@code core.control.host} alone; has no loop of its own.
 */
package io.volume4j.core.control.capacity;
