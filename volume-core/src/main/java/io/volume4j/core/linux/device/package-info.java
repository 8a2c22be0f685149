/**
 * Block devices: their identity, their contents, their filesystems, and loop devices.
 *
 * <p>{@code BlankProbe} proves that a device is blank before any call formats it. {@code LinuxBlockDevices} runs the
 * tools that make, check and expand filesystems. {@code LinuxLoopDevices} finds and makes loop devices.
 *
 * <p>May depend on {@code linux.sys}, {@code linux.path}, {@code linux.mount}, {@code linux.tool} and {@code io.volume4j.spi}; on no
 * other package of the core.
 */
@NullMarked
package io.volume4j.core.linux.device;

import org.jspecify.annotations.NullMarked;
