package io.volume4j.spi.mount;

/**
 * Identifies a device as well as the machine can. A caller notices with it that a path now leads to another device.
 *
 * @param serial a text that stays the same over restarts: a WWN or serial number. For a loop device: the device,
 *     inode and birth time of its backing file
 * @param bytes the size of the device in bytes
 * @since 0.1.0
 */
public record DeviceIdentity(String serial, long bytes) {
    public DeviceIdentity {
        if (serial.isEmpty()) {
            throw new IllegalArgumentException("a device identity needs a serial");
        }
    }
}
