/**
 * A storage backend in memory and the plugin in front of it.
 *
 * <p>{@link io.volume4j.inmemory.plugin.InMemoryStorage} is the backend: what exists, what is attached where, who holds
 * what. It outlives plugins, processes and nodes, and it is the judge: whatever a real backend would let happen at the cost
 * of existing data is recorded as a {@link io.volume4j.inmemory.oracle.Violation}. {@link
 * io.volume4j.inmemory.plugin.InMemoryPlugin} is one process's way to it; each node and each controller has its own.
 *
 * <p>Depends on the SPI, the fault scripts and the oracle. Mounts only through the mount backend of its plugin host.
 */
package io.volume4j.inmemory.plugin;
