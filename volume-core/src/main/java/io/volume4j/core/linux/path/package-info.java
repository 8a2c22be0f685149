/**
 * Files and directories below a root. The library reaches them by descriptors, so that a replaced link cannot redirect
 * a call.
 *
 * <p>{@code SafePaths} resolves paths, {@code LinuxFiles} implements {@link io.volume4j.spi.mount.HostFiles}, and the
 * walks process trees of files: ownership, measurement, removal.
 *
 * <p>May depend on {@code linux.sys} and {@code io.volume4j.spi}; on no other package of the core.
 */
@NullMarked
package io.volume4j.core.linux.path;

import org.jspecify.annotations.NullMarked;
