package io.volume4j.core.node.call;

import io.volume4j.spi.VolumeException;
import java.util.function.Supplier;

/** Runs the rest of a call that has had effects already: a failure there makes the outcome of the whole call uncertain. */
final class AfterEffect {
    private AfterEffect() {}

    static <T> T onFailure(Supplier<T> rest) {
        try {
            return rest.get();
        } catch (VolumeException failure) {
            throw failure.afterEffect();
        }
    }

    static void onFailure(Runnable rest) {
        onFailure(() -> {
            rest.run();
            return true;
        });
    }
}
