package io.volume4j.core.plugins.common;

import io.volume4j.spi.FailureKind;
import io.volume4j.spi.VolumeException;

/**
 * Undoes the effects of a failed call. A failure without an effect is correct only if nothing of the call is left.
 * Otherwise the caller would never tear the rest down.
 */
public final class Rollback {
    private Rollback() {}

    /**
     * Undoes the effects of a failed call.
     *
     * @param left what is left if the undo fails too
     * @return the failure to throw: the same if everything is as before the call, else an uncertain one
     */
    public static RuntimeException undone(RuntimeException failure, String left, Runnable undo) {
        try {
            undo.run();
            return failure;
        } catch (RuntimeException e) {
            if (!(failure instanceof VolumeException known) || known.kind() == FailureKind.UNCERTAIN) {
                failure.addSuppressed(e);
                return failure;
            }
            return VolumeException.uncertain(known.reason() + "; and " + left + ": " + MessageText.reason(e))
                    .withAdvice(known.advice())
                    .withCause(known);
        }
    }

    /** Runs the steps after a call's effect. A failure there becomes uncertain. */
    public static void afterEffect(Runnable rest) {
        try {
            rest.run();
        } catch (VolumeException failure) {
            throw failure.afterEffect();
        }
    }
}
