package io.volume4j.spi.mount;

/**
 * Which device it is, as far as the machine can tell, so that a name that came to mean another device is noticed.
 *
 * @param serial what stays the same over restarts: a WWN or serial number, or for a loop device its backing file's
 *     device, inode and birth time
 * @param bytes its size
 * @since 0.1.0
 */
public record DeviceIdentity(String serial, long bytes) {
    public DeviceIdentity {
        if (serial.isEmpty()) {
            throw new IllegalArgumentException("a device identity needs a serial");
        }
    }
}
