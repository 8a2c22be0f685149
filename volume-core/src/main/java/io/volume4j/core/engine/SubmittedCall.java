package io.volume4j.core.engine;

import io.volume4j.spi.host.Instrumentation;
import java.util.function.Consumer;

/** A submitted call, until its thread has returned. Loop thread only. */
final class SubmittedCall {
    private static final EventLoop.Timer NO_TIMER = () -> {};
    private static final RunningCall NOT_STARTED = RunningCall.notStarted();

    /** The volume or object of the call. Calls of one subject share its places in the lane. */
    final Object subject;

    final String id;
    final int attempt;
    final Call call;
    final Instrumentation.Step observed;
    final Consumer<String> progress;
    final OperationExecutor.Reports reports;

    /** Smaller than that of any later call. */
    final long number;

    RunningCall context = NOT_STARTED;
    EventLoop.Timer alarm = NO_TIMER;
    long longAt;
    boolean lengthy;
    boolean writtenOff;
    /** Whether its subject was suspect at the start of the call. */
    boolean suspect;

    SubmittedCall(
            Object subject,
            String id,
            int attempt,
            Call call,
            Instrumentation.Step observed,
            Consumer<String> progress,
            OperationExecutor.Reports reports,
            long number) {
        this.subject = subject;
        this.id = id;
        this.attempt = attempt;
        this.call = call;
        this.observed = observed;
        this.progress = progress;
        this.reports = reports;
        this.number = number;
    }

    /** Different for each call. Cheaper than an identity hash, which calls into the JVM for each new object. */
    @Override
    public int hashCode() {
        return Long.hashCode(number);
    }
}
