package io.volume4j.core.plugins.common;

import io.volume4j.spi.FailureKind;
import io.volume4j.spi.VolumeException;

/**
 * Undoes what a call did before it failed. The caller may see a failure that says "nothing happened" only if nothing of the
 * call is left: otherwise the caller would never tear the rest down.
 */
public final class Rollback {
    private Rollback() {}

    /**
     * Takes back what a call had done before it failed.
     *
     * @param left what remains if that fails too
     * @return the failure to throw: the same if all is as before the call, else an uncertain one
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

    /** Runs what comes after the effect of a call, which no failure can take back. */
    public static void afterEffect(Runnable rest) {
        try {
            rest.run();
        } catch (VolumeException failure) {
            throw failure.afterEffect();
        }
    }
}
