/**
 * Files and directories below a root, reached by descriptors, so that no exchanged link leads a call elsewhere.
 *
 * <p>{@code SafePaths} resolves paths, {@code LinuxFiles} implements {@link io.volume4j.spi.mount.HostFiles}, and the
 * walks go through trees of files: ownership, measurement, removal.
 *
 * <p>May depend on {@code linux.sys} and {@code io.volume4j.spi}; on no other package of the core.
 */
@NullMarked
package io.volume4j.core.linux.path;

import org.jspecify.annotations.NullMarked;
