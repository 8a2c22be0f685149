package io.volume4j.examples.etcd;

import java.nio.file.Path;
import java.time.Duration;

/** Resets the machine unless the caller feeds it in time. Implementations need not be thread-safe. */
public interface Watchdog {
    /** The time after the last feed at which the watchdog resets the machine, whatever runs or hangs on it. */
    Duration timeout();

    /** Arms the watchdog, which also feeds it. */
    void arm();

    /** Prevents the reset for another {@link #timeout}. */
    void feed();

    /** Disarms the watchdog: it no longer resets the machine. */
    void release();

    /**
     * A Linux watchdog device, such as {@code /dev/watchdog0}. {@link #arm} checks its driver in {@code /sys/class/watchdog}, and refuses
     * a driver that acts later than after the timeout, or that stops when the process is killed.
     *
     * @param timeout at least the driver's own, see {@code /sys/class/watchdog/watchdog0/timeout}
     * @see <a href="https://docs.kernel.org/watchdog/watchdog-api.html">The Linux watchdog driver API</a>
     */
    static Watchdog ofDevice(Path device, Duration timeout) {
        return new DeviceWatchdog(device, timeout, Path.of("/sys/class/watchdog"));
    }

    /**
     * The same with the current timeout of the driver.
     *
     * @throws IllegalStateException if the device does not exist, or its driver does not show its timeout
     */
    static Watchdog ofDevice(Path device) {
        return DeviceWatchdog.withItsTimeout(device, Path.of("/sys/class/watchdog"));
    }
}
