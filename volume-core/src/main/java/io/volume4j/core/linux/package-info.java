/**
 * The mount backend for Linux: system calls through JNA, the system's own tools for making, checking and growing
 * filesystems, and nothing through a shell.
 *
 * <p>Only {@link io.volume4j.core.linux.LinuxMountBackend} is public; it wires the rest, which falls into five groups:
 *
 * <ul>
 *   <li>the kernel's door: {@code LibC}, {@code Architecture}, {@code Kernel}, {@code MountCalls}, {@code Errno},
 *       {@code Failures}: one method per system call, errors with their names, one table from errors to kinds;
 *   <li>paths: {@code SafePaths}, {@code MountPlace}, {@code LinuxFiles}: everything below a root by descriptor;
 *   <li>mounts: {@code BindMounts}, {@code FilesystemMounts}, {@code Unmounts}, and their table: {@code SharedMountTable},
 *       {@code FollowedMounts}, {@code MountSnapshot};
 *   <li>devices: {@code LinuxLoopDevices}, {@code LinuxBlockDevices}, {@code DeviceIdentities}, {@code BlankProbe};
 *   <li>tools: {@code ToolRunner} and the command lines that are given to it.
 * </ul>
 *
 * <p>May depend on {@code io.volume4j.spi} (its {@code mount} package above all), on slf4j and on JNA, which is optional:
 * nothing here is loaded before a backend is made. Never depends on the engine, the journal or a plugin, and no other
 * package of the library may depend on anything here but the backend itself.
 */
package io.volume4j.core.linux;
