package io.volume4j.inmemory.plugin;

import io.volume4j.spi.VolumeException;
import io.volume4j.spi.host.SecretResolver;
import io.volume4j.spi.host.SecretValues;
import io.volume4j.spi.model.CsiSource;
import io.volume4j.spi.model.SecretRef;
import io.volume4j.spi.model.VolumeSource;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Resolves the secret of a call's source, as a driver needs it. A test may let the plugin leak it: then the message of
 * every failure contains the values, which the caller must remove. Thread-safe.
 */
final class SecretUse {
    private final Supplier<SecretResolver> resolver;
    private final boolean leaks;

    SecretUse(Supplier<SecretResolver> resolver, boolean leaks) {
        this.resolver = resolver;
        this.leaks = leaks;
    }

    /** Runs the call with the source's secret for it, if there is one. */
    <T> T with(VolumeSource source, Function<CsiSource, @Nullable SecretRef> which, Supplier<T> call) {
        @Nullable SecretRef reference = source instanceof CsiSource csi ? which.apply(csi) : null;
        if (reference == null) {
            return call.get();
        }
        SecretValues secret = resolver.get().resolve(reference);
        try {
            return call.get();
        } catch (VolumeException failure) {
            throw leaks ? leaking(failure, secret) : failure;
        }
    }

    private static VolumeException leaking(VolumeException failure, SecretValues secret) {
        String message = failure.reason() + ", tried with " + secret.values();
        return switch (failure.kind()) {
            case DANGLING -> VolumeException.dangling(message, failure.holder());
            case FINAL ->
                failure.provesAbsent()
                        ? VolumeException.finalFailure(message).provingAbsence()
                        : VolumeException.finalFailure(message);
            default -> VolumeException.of(failure.kind(), message);
        };
    }
}
