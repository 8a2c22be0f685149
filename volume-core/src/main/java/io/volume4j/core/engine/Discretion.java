package io.volume4j.core.engine;

import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Removes the secrets that a call got from everything that it reports.
 * @param runner runs a call on a worker, and removes secrets from its exception
 * @param text removes secrets from the texts of a running call
 */
public record Discretion(Runner runner, UnaryOperator<String> text) {
    /** Runs calls. */
    @FunctionalInterface
    public interface Runner {
        <T extends @Nullable Object> T run(Supplier<T> call);
    }

    /** For calls that get no secrets. */
    public static Discretion none() {
        return new Discretion(Supplier::get, text -> text);
    }
}
