/**
 * An in-memory storage backend and its plugin.
 *
 * <p>{@link io.volume4j.inmemory.plugin.InMemoryStorage} is the backend, with volumes, attachments and mounts. It
 * exists longer than plugins, processes and nodes. It also checks the calls: if a call could destroy existing data at
 * a real backend, the storage records a {@link io.volume4j.inmemory.oracle.Violation}.
 * {@link io.volume4j.inmemory.plugin.InMemoryPlugin} is the plugin of one process; each node and each controller has
 * its own.
 *
 * <p>Depends on the SPI, the fault scripts and the oracle. Mounts only through the mount backend of its plugin host.
 */
package io.volume4j.inmemory.plugin;
