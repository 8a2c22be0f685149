/**
 * Disks of storage networks: iSCSI sessions, Fibre Channel, and their common parts.
 *
 * <p>{@code SanVolumes} mounts and maps any such disk. {@code DeviceConnector} makes the disk appear on the node and
 * removes it: {@code IscsiConnector} by sessions of open-iscsi, {@code FcConnector} by a scan of the adapters.
 * {@code ScsiDisks} finds disks and their multipath maps.
 *
 * <p>May depend on {@code plugins.common} and {@code io.volume4j.spi}. Only {@code SanPlugin}, {@code FcPlugin} and {@code IscsiPlugin}
 * may depend on it.
 */
@NullMarked
package io.volume4j.core.plugins.san;

import org.jspecify.annotations.NullMarked;
