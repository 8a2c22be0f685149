package io.volume4j.core.plugins;

import io.volume4j.spi.FailureKind;
import io.volume4j.spi.VolumeException;

/**
 * For calls that fail on their way: a failure that would say "nothing happened" is let out only if nothing of the call is
 * left. Else nobody would come to take that away.
 */
final class HalfDone {
    private HalfDone() {}

    /**
     * Takes back what a call had done before it failed.
     *
     * @param left what remains if that fails too
     * @return the failure to throw: the same if all is as before the call, else an uncertain one
     */
    static RuntimeException undone(RuntimeException failure, String left, Runnable undo) {
        try {
            undo.run();
            return failure;
        } catch (RuntimeException e) {
            if (!(failure instanceof VolumeException known) || known.kind() == FailureKind.UNCERTAIN) {
                failure.addSuppressed(e);
                return failure;
            }
            return VolumeException.uncertain(known.getMessage() + "; and " + left + ": " + Shown.reason(e))
                    .withAdvice(known.advice())
                    .withCause(known);
        }
    }

    /** Runs what comes after the effect of a call, which no failure can take back. */
    static void afterEffect(Runnable rest) {
        try {
            rest.run();
        } catch (VolumeException failure) {
            throw failure.afterEffect();
        }
    }
}
