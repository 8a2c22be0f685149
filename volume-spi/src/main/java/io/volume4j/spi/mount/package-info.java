/**
 * The kernel operations that volume4j needs: mounts, block devices, filesystems, and operations on files that links
 * must not redirect. The library has a Linux backend and an in-memory backend; a host may implement its own.
 *
 * <p>All calls block and may hang if the storage hangs, so the library makes them on worker threads only. Calls that
 * never access such storage say "Never hangs". Failures are {@link io.volume4j.spi.VolumeException}s that name the
 * system call or tool, its operands and the error ({@code EBUSY}, …).
 *
 * <p>Depends on {@link io.volume4j.spi} only.
 */
package io.volume4j.spi.mount;
