package io.volume4j.examples.etcd;

import java.io.FileOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A Linux watchdog device. Opening it arms it, a byte feeds it, and the letter V before the close stops it. This class refuses a driver
 * that stops its timer at each close: the kernel closes the device of a killed process, whose mounts stay.
 */
final class DeviceWatchdog implements Watchdog {
    /** WDIOF_MAGICCLOSE: the driver stops its timer only after the letter V. */
    private static final long MAGIC_CLOSE = 0x100;

    private final Path device;
    private final Duration timeout;
    private final Path drivers;
    private @Nullable FileOutputStream opened;

    /** @param drivers {@code /sys/class/watchdog} */
    DeviceWatchdog(Path device, Duration timeout, Path drivers) {
        this.device = device;
        this.timeout = timeout;
        this.drivers = drivers;
    }

    static DeviceWatchdog withItsTimeout(Path device, Path drivers) {
        DeviceWatchdog asked = new DeviceWatchdog(device, Duration.ZERO, drivers);
        return new DeviceWatchdog(device, Duration.ofSeconds(asked.number(asked.driver(), "timeout")), drivers);
    }

    @Override
    public Duration timeout() {
        return timeout;
    }

    @Override
    public synchronized void arm() {
        mustResetTheMachine();
        try {
            opened = new FileOutputStream(device.toFile());
        } catch (IOException failed) {
            throw new UncheckedIOException(
                    "the watchdog " + device + " cannot be opened; another program may have it", failed);
        }
    }

    /** Controllers detach a node's volumes because its watchdog acts in time, whatever happens to this process. */
    private void mustResetTheMachine() {
        Path driver = driver();
        long seconds = number(driver, "timeout");
        if (seconds <= 0 || Duration.ofSeconds(seconds).compareTo(timeout) > 0) {
            throw new IllegalStateException("the watchdog " + device + " acts after " + seconds + " s, not within the "
                    + timeout.toSeconds() + " s that were given; give its real time, or set the driver's");
        }
        boolean magicClose = (number(driver, "options") & MAGIC_CLOSE) != 0;
        if (!magicClose && number(driver, "nowayout") != 1) {
            throw new IllegalStateException("the watchdog " + device
                    + " would stop when this process is killed: its driver has no magic close; load the driver with"
                    + " nowayout=1, or use another watchdog");
        }
    }

    private Path driver() {
        try {
            String name = device.toRealPath().getFileName().toString();
            // /dev/watchdog is the old name of the first device.
            return drivers.resolve(name.equals("watchdog") ? "watchdog0" : name);
        } catch (IOException missing) {
            throw new IllegalStateException("there is no watchdog " + device + "; load its driver", missing);
        }
    }

    private long number(Path driver, String attribute) {
        Path file = driver.resolve(attribute);
        try {
            return Long.decode(Files.readString(file).strip());
        } catch (IOException | NumberFormatException unknown) {
            throw new IllegalStateException(
                    "it is not known whether the watchdog " + device + " acts when this process is killed: " + file
                            + " cannot be read; use a watchdog whose driver shows it (CONFIG_WATCHDOG_SYSFS)",
                    unknown);
        }
    }

    @Override
    public synchronized void feed() {
        write('1');
    }

    @Override
    public synchronized void release() {
        write('V');
        try {
            Objects.requireNonNull(opened).close();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    private void write(char letter) {
        try {
            Objects.requireNonNull(opened).write(letter);
        } catch (IOException failed) {
            throw new UncheckedIOException("the watchdog " + device + " cannot be fed", failed);
        }
    }
}
