package io.volume4j.examples.csilifecycle;

import io.grpc.Status.Code;
import io.volume4j.csi.internal.client.CsiException;
import io.volume4j.csi.internal.client.RpcObserver;
import io.volume4j.csi.internal.rpc.Rpc;
import java.io.PrintStream;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Locale;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The output for users: a heading for each part of the life, and a line for each call with its duration. */
final class Console implements RpcObserver {
    private final PrintStream out;
    private final InstantSource clock;
    private String subject = "";
    private String result = "";
    private int calls;
    private Duration slowest = Duration.ZERO;
    private String slowestCall = "";
    private @Nullable String pending;

    Console(PrintStream out, InstantSource clock) {
        this.out = out;
        this.clock = clock;
    }

    void say(String line) {
        flush();
        out.println(line);
    }

    void heading(String text) {
        flush();
        out.println();
        out.println(text);
    }

    void detail(String text) {
        flush();
        out.println("  " + text);
    }

    /** Sets the subject of the next calls. */
    void about(String text) {
        subject = text;
    }

    /** Sets the result of the last call, for the end of its line. */
    void result(String text) {
        result = text;
        flush();
    }

    @Override
    public Span begin(Rpc rpc, Supplier<String> request) {
        flush();
        Instant begun = clock.instant();
        return failure -> ended(rpc, Duration.between(begun, clock.instant()), failure);
    }

    private void ended(Rpc rpc, Duration took, @Nullable CsiException failure) {
        calls++;
        if (took.compareTo(slowest) > 0) {
            slowest = took;
            slowestCall = rpc.label();
        }
        pending = "  %-30s %-34s %9s".formatted(rpc.label(), subject, millis(took));
        if (failure != null) {
            result = outcome(failure);
        }
    }

    private static String outcome(CsiException failure) {
        return switch (failure.phase()) {
            case NEVER_SENT -> "not sent";
            case SENT_WITHOUT_ANSWER -> failure.code() + ", not answered";
            case ANSWERED ->
                failure.code() == Code.OK ? "NOT CREDIBLE" : failure.code().name();
        };
    }

    /** In the largest unit without a remainder. */
    static String size(long bytes) {
        String units = "KMGT";
        long rest = bytes;
        int unit = 0;
        while (rest >= 1024 && rest % 1024 == 0 && unit < units.length()) {
            rest /= 1024;
            unit++;
        }
        return unit == 0 ? rest + " bytes" : rest + " " + units.charAt(unit - 1) + "iB";
    }

    static String count(int number, String what) {
        return number + " " + what + (number == 1 ? "" : "s");
    }

    private void flush() {
        String line = pending;
        if (line != null) {
            pending = null;
            out.println((result.isEmpty() ? line : line + "  " + result).stripTrailing());
        }
        result = "";
    }

    /** Adds the counts of another console. */
    void add(Console other) {
        other.flush();
        calls += other.calls;
        if (other.slowest.compareTo(slowest) > 0) {
            slowest = other.slowest;
            slowestCall = other.slowestCall;
        }
    }

    String summary() {
        flush();
        return "%d calls, the slowest %s with %s".formatted(calls, slowestCall, millis(slowest));
    }

    static String millis(Duration took) {
        double millis = took.toNanos() / 1e6;
        return millis < 10_000
                ? String.format(Locale.ROOT, "%.1f ms", millis)
                : String.format(Locale.ROOT, "%.1f s", millis / 1000);
    }
}
