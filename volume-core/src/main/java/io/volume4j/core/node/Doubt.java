package io.volume4j.core.node;

import io.volume4j.spi.FailureKind;
import io.volume4j.spi.VolumeException;
import java.util.function.Supplier;

/**
 * For the rest of a call that has had effects already: a failure that would say "nothing happened" speaks for its own step
 * only, and of the whole call nobody knows.
 */
final class Doubt {
    private Doubt() {}

    static <T> T onFailure(Supplier<T> rest) {
        try {
            return rest.get();
        } catch (VolumeException failure) {
            if (failure.kind() == FailureKind.UNCERTAIN) {
                throw failure;
            }
            throw VolumeException.uncertain("it was done, but then: " + failure.getMessage())
                    .withAdvice(failure.advice())
                    .withCause(failure);
        }
    }

    static void onFailure(Runnable rest) {
        onFailure(() -> {
            rest.run();
            return true;
        });
    }
}
