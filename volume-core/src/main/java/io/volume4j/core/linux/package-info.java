/**
 * The mount backend for Linux. It makes system calls through JNA, and runs the system's programs to make, check and
 * expand filesystems. It never uses a shell.
 *
 * <p>Hosts need only {@link io.volume4j.core.linux.LinuxMountBackend}. The module does not export the packages below
 * this one:
 *
 * <ul>
 * <li>{@code sys}: system calls, errors with their names, one table from errors to failure kinds;
 * <li>{@code path}: everything below a root, by descriptor;
 * <li>{@code mount}: bind mounts, filesystem mounts, unmounts and the mount table;
 * <li>{@code device}: loop devices, device identities, proofs that a device is blank, filesystem tools at work;
 * <li>{@code tool}: the programs that the backend runs, and their processes.
 * </ul>
 *
 * <p>Imports point one way: {@code device} to {@code mount} to {@code path} to {@code sys}, and {@code device} to
 * {@code tool}.
 *
 * <p>Depends on {@code io.volume4j.spi} (mainly its {@code mount} package), on slf4j and on JNA. JNA is optional: the
 * JVM loads it only when a host creates a backend. Never depends on the engine, the journal or a plugin. Other
 * packages of the library use only the backend itself.
 */
@NullMarked
package io.volume4j.core.linux;

import org.jspecify.annotations.NullMarked;
