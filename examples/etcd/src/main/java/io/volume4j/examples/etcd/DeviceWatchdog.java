package io.volume4j.examples.etcd;

import java.io.FileOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A watchdog of Linux: it is armed by being opened, fed by a byte, and let go by the letter V before it is closed. */
final class DeviceWatchdog implements Watchdog {
    private final Path device;
    private final Duration timeout;
    private @Nullable FileOutputStream opened;

    DeviceWatchdog(Path device, Duration timeout) {
        this.device = device;
        this.timeout = timeout;
    }

    @Override
    public Duration timeout() {
        return timeout;
    }

    @Override
    public synchronized void arm() {
        try {
            opened = new FileOutputStream(device.toFile());
        } catch (IOException failed) {
            throw new UncheckedIOException(
                    "the watchdog " + device + " cannot be opened; another program may have it", failed);
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
