/**
 * Finds the nodes that a pod's claims permit, for the scheduler of a host: indexes of the cluster's objects, the
 * ledger of reservations that are not visible in the objects yet, and decisions from both.
 *
 * <p>Start with {@link io.volume4j.core.control.schedule.NodeFilter}. {@code SchedulingWorld} gets the changes of
 * objects, and provides everything for a decision without a scan. {@code PodNeeds} has the requirements of one pod.
 * The filter answers for all nodes at once, because sets of nodes are bit sets. The package has no threads, locks or
 * clocks, calls no plugin and no cluster, and does not log: {@link io.volume4j.core.control.VolumeBinder} guards it.
 *
 * <p>Depends on the model, on {@code core.control.binding} for matching and on {@code core.volumes} for its answers.
 */
package io.volume4j.core.control.schedule;
