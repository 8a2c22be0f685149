/**
 * The mount backend for Linux: system calls through JNA, the system's own tools for making, checking and growing
 * filesystems, and nothing through a shell.
 *
 * <p>Users need {@link io.volume4j.core.linux.LinuxMountBackend} only; it wires the rest. The module does not export the
 * packages below this one:
 *
 * <ul>
 *   <li>{@code sys}: system calls, errors with their names, one table from errors to failure kinds;
 *   <li>{@code path}: everything below a root, by descriptor;
 *   <li>{@code mount}: bind mounts, filesystem mounts, unmounts and the mount table;
 *   <li>{@code device}: loop devices, device identities, proofs that a device is blank, filesystem tools at work;
 *   <li>{@code tool}: the programs that the backend runs, and their processes.
 * </ul>
 *
 * <p>Imports point one way: {@code device} to {@code mount} to {@code path} to {@code sys}, and {@code device} to {@code tool}.
 *
 * <p>May depend on {@code io.volume4j.spi} (its {@code mount} package above all), on slf4j and on JNA, which is optional:
 * nothing here is loaded before a backend is made. Never depends on the engine, the journal or a plugin. No other
 * package of the library depends on anything here but the backend itself.
 */
@NullMarked
package io.volume4j.core.linux;

import org.jspecify.annotations.NullMarked;
