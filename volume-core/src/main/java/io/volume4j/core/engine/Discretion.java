package io.volume4j.core.engine;

import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Keeps what a call was told in confidence out of everything that it says.
 *
 * @param runner runs a call on a worker; what the call throws comes out without secrets
 * @param text takes secrets out of what a call says while it runs
 */
public record Discretion(Runner runner, UnaryOperator<String> text) {
    /** Runs calls. */
    @FunctionalInterface
    public interface Runner {
        <T extends @Nullable Object> T run(Supplier<T> call);
    }

    /** For calls that are told no secrets. */
    public static Discretion none() {
        return new Discretion(Supplier::get, text -> text);
    }
}
