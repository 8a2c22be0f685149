/**
 * Disks of storage networks: iSCSI sessions, Fibre Channel, and what both share.
 *
 * <p>{@code SanVolumes} mounts and maps any such disk. {@code DeviceConnector} makes the disk appear on the node and go again:
 * {@code IscsiConnector} by sessions of open-iscsi, {@code FcConnector} by a scan of the adapters. {@code ScsiDisks} knows the disks
 * and their multipath maps.
 *
 * <p>May depend on {@code plugins.common} and {@code io.volume4j.spi}. Only {@code SanPlugin}, {@code FcPlugin} and {@code IscsiPlugin}
 * may depend on it.
 */
@NullMarked
package io.volume4j.core.plugins.san;

import org.jspecify.annotations.NullMarked;
