package io.volume4j.examples.benchmarks.measure;

import java.util.Locale;

/** Numbers in a readable form. */
public final class Figures {
    private Figures() {}

    public static String time(double nanos) {
        if (nanos < 1e3) {
            return text("%.0f ns", nanos);
        }
        if (nanos < 1e6) {
            return text("%.1f us", nanos / 1e3);
        }
        return nanos < 1e9 ? text("%.1f ms", nanos / 1e6) : text("%.2f s", nanos / 1e9);
    }

    /** With one decimal where {@link #time(double)} has none. */
    public static String precise(double nanos) {
        return nanos < 1e3 ? text("%.1f ns", nanos) : time(nanos);
    }

    public static String time(long nanos) {
        return time((double) nanos);
    }

    public static String bytes(long bytes) {
        return bytes((double) bytes);
    }

    public static String count(long number) {
        return text("%,d", number);
    }

    public static String rate(long operations, long nanos) {
        return text("%,.0f/s", operations * 1e9 / nanos);
    }

    public static String rate(double each) {
        return text("%,.0f/s", each);
    }

    public static String ratio(double ratio) {
        if (!Double.isFinite(ratio)) {
            return "-";
        }
        if (ratio < 0.1 && ratio > 0) {
            return text("1/%,.0f x", 1 / ratio);
        }
        return ratio < 10 ? text("%.2f x", ratio) : text("%,.0f x", ratio);
    }

    public static String bytes(double bytes) {
        if (bytes < 10_000) {
            return text("%,.0f B", bytes);
        }
        return bytes < 10_000_000 ? text("%,.0f KiB", bytes / 1024) : text("%,.0f MiB", bytes / (1024 * 1024));
    }

    public static String percent(double share) {
        return text("%.3f %%", share * 100);
    }

    private static String text(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }
}
