package io.volume4j.examples.benchmarks.measure;

import com.sun.jna.LastErrorException;
import com.sun.jna.Native;
import com.sun.jna.NativeLibrary;

/**
 * The processor time that this process has taken, of all its threads, collector and compiler included, from {@code clock_gettime(2)}. The
 * JDK's own figure is counted in hundredths of a second, which is more than most of what is measured here.
 */
public final class ProcessorClock {
    private static final int CLOCK_PROCESS_CPUTIME_ID = 2;
    private static final long SECOND = 1_000_000_000;

    static {
        Native.register(ProcessorClock.class, NativeLibrary.getProcess());
    }

    private ProcessorClock() {}

    public static long nanos() {
        long[] secondsAndNanos = new long[2];
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, secondsAndNanos);
        return secondsAndNanos[0] * SECOND + secondsAndNanos[1];
    }

    private static native int clock_gettime(int clock, long[] time) throws LastErrorException;
}
