/**
 * Tells pods whose SELinux contexts do not go together on a volume that they share: a volume is mounted with one context, so on one node
 * one of them waits for the other. For people; no decision depends on it, as the nodes keep the pods apart. {@link
 * io.volume4j.core.control.selinux.SeLinuxPlanner} decides about one pod.
 */
package io.volume4j.core.control.selinux;
