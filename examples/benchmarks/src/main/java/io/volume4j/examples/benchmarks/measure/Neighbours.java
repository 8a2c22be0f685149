package io.volume4j.examples.benchmarks.measure;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/**
 * The share of the machine that other processes used during a measurement, from {@code proc_stat(5)} and
 * {@code proc_pid_stat(5)}.
 */
public final class Neighbours {
    private static final int USER = 1;
    private static final int IDLE = 4;
    private static final int IO_WAIT = 5;
    private static final int STEAL = 8;
    /**
     * The first of four fields of {@code /proc/self/stat}, counted after the command's name: own user and system time,
     * and those of ended children.
     */
    private static final int OWN_USER = 11;

    private static final int OWN_TIMES = 4;

    private final long[] machine = machine();
    private final long own = own();

    private Neighbours() {}

    public static Neighbours since() {
        return new Neighbours();
    }

    /** The share of others since then, from 0 to 1; not a number if the kernel does not report it. */
    public record Shares(double others, double stolen) {
        /** With a higher share a figure is not reliable. */
        private static final double TOLERABLE = 0.05;

        public boolean tolerable() {
            return others <= TOLERABLE && stolen <= TOLERABLE;
        }

        /** One line for readers. */
        public String line() {
            if (Double.isNaN(others)) {
                return "the kernel does not tell what others used";
            }
            return String.format(
                    Locale.ROOT,
                    "%.0f %% of the machine's processors used by other processes, %.0f %% stolen by other machines",
                    100 * others,
                    100 * stolen);
        }
    }

    public Shares shares() {
        long[] now = machine();
        if (machine.length <= STEAL || now.length <= STEAL) {
            return new Shares(Double.NaN, Double.NaN);
        }
        long all = 0;
        for (int i = USER; i <= STEAL; i++) {
            all += now[i] - machine[i];
        }
        long idle = now[IDLE] - machine[IDLE] + now[IO_WAIT] - machine[IO_WAIT];
        long stolen = now[STEAL] - machine[STEAL];
        long ours = own() - own;
        if (all <= 0) {
            return new Shares(Double.NaN, Double.NaN);
        }
        return new Shares((double) Math.max(0, all - idle - stolen - ours) / all, (double) stolen / all);
    }

    private static long[] machine() {
        String[] fields = firstLine(Path.of("/proc/stat")).split(" +");
        long[] ticks = new long[fields.length];
        for (int i = 1; i < fields.length; i++) {
            ticks[i] = Long.parseLong(fields[i]);
        }
        return ticks;
    }

    private static long own() {
        String line = firstLine(Path.of("/proc/self/stat"));
        String[] fields = line.substring(line.lastIndexOf(')') + 1).strip().split(" ");
        long ticks = 0;
        for (int i = OWN_USER; i < OWN_USER + OWN_TIMES && i < fields.length; i++) {
            ticks += Long.parseLong(fields[i]);
        }
        return ticks;
    }

    private static String firstLine(Path file) {
        try {
            List<String> lines = Files.readAllLines(file);
            return lines.isEmpty() ? "" : lines.get(0);
        } catch (IOException absent) {
            return "";
        }
    }
}
