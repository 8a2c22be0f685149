/**
 * Which nodes a pod's claims allow, for the scheduler of a host: indexes over the objects of the cluster, the ledger of what
 * was promised and is not visible in them yet, and decisions over both.
 *
 * <p>Start with {@link io.volume4j.core.control.schedule.NodeFilter}. {@code SchedulingWorld} is fed with the changes of
 * objects and gives everything that a decision needs without a scan; {@code PodNeeds} is what one pod asks of every node;
 * the filter answers for all nodes at once, because sets of nodes are bits. Nothing here has a thread, a lock or a clock of
 * its own, calls a plugin or the cluster, or logs: {@link io.volume4j.core.control.VolumeBinder} guards it.
 *
 * <p>Depends on the model, on {@code core.control.binding} for matching and on {@code core.volumes} for its answers.
 */
package io.volume4j.core.control.schedule;
