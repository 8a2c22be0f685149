/**
 * The kernel, as volume4j needs it: mounts, block devices, filesystems and the few operations on files that must not be
 * tricked by links. The library brings a Linux backend and an in-memory one; a host may bring its own.
 *
 * <p>All calls block and may hang with the storage below them, so they run on worker threads only; those that never touch
 * foreign storage say so. Failures are {@link io.volume4j.spi.VolumeException}s that name the system call or tool, its
 * operands and the error ({@code EBUSY}, …).
 *
 * <p>May depend on {@link io.volume4j.spi} only.
 */
package io.volume4j.spi.mount;
