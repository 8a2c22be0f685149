package io.volume4j.inmemory.fault;

import io.volume4j.spi.CallContext;
import io.volume4j.spi.FailureKind;
import io.volume4j.spi.VolumeException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs the calls of a fake with the faults of its script. Thread-safe. Holds no lock while a call runs.
 *
 * @since 0.1.0
 */
public final class ScriptedCalls {
    private final FaultScript script;
    private final CallGate gate;

    public ScriptedCalls(FaultScript script, CallGate gate) {
        this.script = script;
        this.gate = gate;
    }

    /** Runs a call with one indivisible effect. */
    public <T> T run(CallSite site, @Nullable CallContext context, Supplier<T> effect) {
        return interpose(site, context, null, effect);
    }

    /**
     * Runs a call whose effect has two halves, between which it can be interrupted.
     * @param beginning the first half
     * @param rest the second half
     */
    public <T> T run(CallSite site, @Nullable CallContext context, Runnable beginning, Supplier<T> rest) {
        return interpose(site, context, beginning, rest);
    }

    private <T> T interpose(
            CallSite site, @Nullable CallContext context, @Nullable Runnable beginning, Supplier<T> rest) {
        @Nullable Fault fault = script.take(site).orElse(null);
        gate.reached(site, CallGate.Phase.ISSUED);
        if (fault == null) {
            return effect(site, beginning, rest);
        }
        switch (fault.kind()) {
            case DELAY -> {
                gate.pause(site, fault.delay(), context);
                return effect(site, beginning, rest);
            }
            case HANG -> {
                gate.hang(site, context);
                return effect(site, beginning, rest);
            }
            case HANG_AFTER -> {
                T result = effect(site, beginning, rest);
                gate.hang(site, context);
                return result;
            }
            case UNCERTAIN_AFTER, UNCLASSIFIED_AFTER -> effect(site, beginning, rest);
            case PARTIAL -> begin(site, beginning);
            case LATE_SUCCESS -> gate.later(site, fault.delay(), () -> unheard(site, beginning, rest));
            default -> {}
        }
        throw failure(site, fault);
    }

    private void begin(CallSite site, @Nullable Runnable beginning) {
        if (beginning != null) {
            beginning.run();
            gate.reached(site, CallGate.Phase.HALF_DONE);
        }
    }

    private <T> T effect(CallSite site, @Nullable Runnable beginning, Supplier<T> rest) {
        begin(site, beginning);
        T result = rest.get();
        gate.reached(site, CallGate.Phase.EFFECTED);
        return result;
    }

    /** No caller waits for a late answer, so no caller is told of its failure. */
    private <T> void unheard(CallSite site, @Nullable Runnable beginning, Supplier<T> rest) {
        try {
            effect(site, beginning, rest);
        } catch (VolumeException refusedByThen) {
            gate.reached(site, CallGate.Phase.EFFECTED);
        }
    }

    private static RuntimeException failure(CallSite site, Fault fault) {
        String text = site + ": scripted fault " + fault.kind().word()
                + (fault.message().isEmpty() ? "" : ": " + fault.message());
        return switch (fault.kind()) {
            case TRANSIENT -> VolumeException.transientFailure(text);
            case FINAL -> VolumeException.finalFailure(text);
            case FINAL_PROVING_ABSENCE -> VolumeException.finalFailure(text).provingAbsence();
            case IN_USE -> VolumeException.of(FailureKind.IN_USE, text);
            case EXHAUSTED -> VolumeException.of(FailureKind.EXHAUSTED, text);
            case INFEASIBLE -> VolumeException.of(FailureKind.INFEASIBLE, text);
            case DANGLING -> VolumeException.dangling(text + ": attached to " + fault.holder(), fault.holder());
            case UNCLASSIFIED_BEFORE, UNCLASSIFIED_AFTER -> new IllegalStateException(text);
            default -> VolumeException.uncertain(text);
        };
    }
}
