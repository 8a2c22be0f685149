/**
 * Exports of NFS servers: their mounts, unmounts that end even if the server is dead, and volumes as directories of an
 * export.
 *
 * <p>May depend on {@code plugins.common} and {@code io.volume4j.spi}. Only {@code NfsPlugin} may depend on it.
 */
@NullMarked
package io.volume4j.core.plugins.nfs;

import org.jspecify.annotations.NullMarked;
