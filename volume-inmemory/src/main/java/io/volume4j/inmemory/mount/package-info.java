/**
 * A machine in memory: one tree of files, mounts, block devices, loop devices and what is on them, with a mount backend in
 * front of it. It resolves paths as the kernel does, name by name and mount by mount, so stacked mounts, binds of
 * directories and files that a mount hides behave as they do on a real machine.
 *
 * <p>{@link io.volume4j.inmemory.mount.InMemoryMountBackend} is the way in; all else is guarded by one lock, the {@code
 * Machine}. Depends on the SPI, the fault scripts, the oracle and what the contracts ask of a machine.
 */
package io.volume4j.inmemory.mount;
