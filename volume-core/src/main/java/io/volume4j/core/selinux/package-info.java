/**
 * The SELinux contexts of pods as data: what a pod's volume is mounted with. Depends on the SPI only; the node and the control plane
 * depend on it.
 */
package io.volume4j.core.selinux;
