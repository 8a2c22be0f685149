package io.volume4j.examples.agent.hosts;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Path;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** A pipe in place of a watchdog's device: each byte feeds it, V disarms it, and it acts once when it is not fed in time. */
final class PipeWatchdog implements AutoCloseable {
    private static final long NEVER = Long.MAX_VALUE;

    private final RandomAccessFile pipe;
    private final int seconds;
    private final Runnable reset;
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
    private long actsAt = NEVER;

    PipeWatchdog(Path device, int seconds, Runnable reset) throws IOException, InterruptedException {
        Host.run("mkfifo", device.toString());
        this.seconds = seconds;
        this.reset = reset;
        // open for writing, too, so that it does not end with its writer
        pipe = new RandomAccessFile(device.toFile(), "rw");
        Thread reads = new Thread(this::read, "watchdog " + device);
        reads.setDaemon(true);
        reads.start();
        var unused = timer.scheduleWithFixedDelay(this::look, 100, 100, TimeUnit.MILLISECONDS);
    }

    private void read() {
        try {
            while (true) {
                int letter = pipe.read();
                synchronized (this) {
                    actsAt = letter == 'V' ? NEVER : System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
                }
            }
        } catch (IOException closed) {
            disarm();
        }
    }

    private synchronized void disarm() {
        actsAt = NEVER;
    }

    private void look() {
        synchronized (this) {
            if (actsAt == NEVER || System.nanoTime() - actsAt < 0) {
                return;
            }
            actsAt = NEVER;
        }
        reset.run();
    }

    @Override
    public void close() {
        timer.shutdownNow();
    }
}
