/**
 * The SELinux contexts of pods, with which the node mounts their volumes. Pure data. Depends on the SPI only; the
 * node and the control plane depend on it.
 */
package io.volume4j.core.selinux;
