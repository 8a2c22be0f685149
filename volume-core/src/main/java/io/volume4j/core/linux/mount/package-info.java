/**
 * Mounts: bind mounts, filesystem mounts, unmounts, and the mount table.
 *
 * <p>{@code SharedMountTable} keeps one table for all callers. On Linux 6.15 and later, {@code EventMountTable}
 * follows the kernel's mount events. On older kernels, the whole table is read again after each change.
 *
 * <p>May depend on {@code linux.sys}, {@code linux.path} and {@code io.volume4j.spi}; on no other package of the core.
 */
@NullMarked
package io.volume4j.core.linux.mount;

import org.jspecify.annotations.NullMarked;
