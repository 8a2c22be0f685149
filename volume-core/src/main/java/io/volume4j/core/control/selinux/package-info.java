/**
 * Reports pods that share a volume but have different SELinux contexts. A node mounts a volume with one context only, so one of
 * these pods waits for the other. The report is for users: no decision depends on it, because the nodes separate the pods.
 * {@link io.volume4j.core.control.selinux.SeLinuxPlanner} decides about one pod.
 */
package io.volume4j.core.control.selinux;
