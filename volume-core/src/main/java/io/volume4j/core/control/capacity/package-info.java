/**
 * Publishes the free capacity of backends as CSIStorageCapacity objects for schedulers: one for each class and
 * topology segment. {@link io.volume4j.core.control.capacity.CapacityPlanner} decides about one such object.
 * {@link io.volume4j.core.control.capacity.CapacityBook} knows which objects must exist, and the last answers of the
 * plugins.
 *
 * <p>Depends on {@code core.control.host} only.
 */
package io.volume4j.core.control.capacity;
