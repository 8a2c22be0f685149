package io.volume4j.examples.benchmarks.measure;

import com.sun.jna.LastErrorException;
import com.sun.jna.Native;
import com.sun.jna.NativeLibrary;

/**
 * The processor time of this process, of all its threads, including collector and compiler, from {@code clock_gettime(2)}. The JDK's own
 * value has a resolution of hundredths of a second, which is longer than most of the measured times.
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
