/**
 * System calls of Linux, by JNA: one method for each call, errors with their names, and the structures that the kernel
 * fills in.
 *
 * <p>{@code Kernel} has the calls on files, {@code MountCalls} those that change mounts, {@code MountQueries} those
 * that read mounts. {@code Failures} is the only table from an errno to a failure kind of the SPI. No other package
 * calls JNA.
 *
 * <p>May depend on {@code io.volume4j.spi}, slf4j and JNA. Never depends on another package of the core.
 */
@NullMarked
package io.volume4j.core.linux.sys;

import org.jspecify.annotations.NullMarked;
