package io.volume4j.examples.etcd;

import java.nio.file.Path;
import java.time.Duration;

/** What resets the machine unless it is fed in time. Used by one thread. */
public interface Watchdog {
    /** After so long without food the machine is reset, whatever runs or hangs on it. */
    Duration timeout();

    /** Begins to watch, with the first feed. */
    void arm();

    /** Keeps the machine running for another {@link #timeout}. */
    void feed();

    /** Lets go: from now on the machine is not reset. */
    void release();

    /**
     * A watchdog of Linux, such as {@code /dev/watchdog0}. {@link #arm} refuses one whose driver, as {@code /sys/class/watchdog} shows it,
     * acts later than after the timeout, or stops when the process is killed.
     *
     * @param timeout as the driver has it, see {@code /sys/class/watchdog/watchdog0/timeout}, or longer
     * @see <a href="https://docs.kernel.org/watchdog/watchdog-api.html">The Linux watchdog driver API</a>
     */
    static Watchdog ofDevice(Path device, Duration timeout) {
        return new DeviceWatchdog(device, timeout, Path.of("/sys/class/watchdog"));
    }

    /**
     * The same with the timeout that the driver has now.
     *
     * @throws IllegalStateException if there is no such device, or its driver does not show its timeout
     */
    static Watchdog ofDevice(Path device) {
        return DeviceWatchdog.withItsTimeout(device, Path.of("/sys/class/watchdog"));
    }
}
