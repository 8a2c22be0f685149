/**
 * An in-memory machine with a mount backend: one tree of files, mounts, block devices, loop devices and their
 * content. It resolves paths as the kernel does, name by name and mount by mount. Therefore stacked mounts, bind
 * mounts and files hidden by a mount behave as on a real machine.
 *
 * <p>{@link io.volume4j.inmemory.mount.InMemoryMountBackend} is the entry point. One lock, the {@code Machine},
 * guards everything else. Depends on the SPI, the fault scripts, the oracle and the interfaces that the contracts
 * need of a machine.
 */
package io.volume4j.inmemory.mount;
