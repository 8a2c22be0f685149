/**
 * Snapshots of volumes and of groups of volumes: what binds a snapshot to its content, has the backend cut it, watches it until it
 * is ready and destroys it. Pure decisions over values; may depend on the binding package's steps and on the SPI, never on the loop, the
 * cache or a clock.
 */
@NullMarked
package io.volume4j.core.control.snapshot;

import org.jspecify.annotations.NullMarked;
