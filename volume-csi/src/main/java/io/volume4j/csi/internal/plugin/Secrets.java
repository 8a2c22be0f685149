package io.volume4j.csi.internal.plugin;

import io.grpc.Status.Code;
import io.volume4j.csi.internal.client.CsiException;
import io.volume4j.spi.host.SecretResolver;
import io.volume4j.spi.model.SecretRef;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Resolves secrets for each call and keeps none. If a driver rejects them, the library reads them again and repeats the
 * call once if they have changed: an administrator may rotate secrets while calls wait.
 */
final class Secrets {
    private final Supplier<SecretResolver> resolver;

    Secrets(Supplier<SecretResolver> resolver) {
        this.resolver = resolver;
    }

    /**
     * Makes the call with the secret's values.
     *
     * @param reference null for a call without secret
     */
    <T> T with(@Nullable SecretRef reference, Function<Map<String, String>, T> call) {
        if (reference == null) {
            return Driver.translated(() -> call.apply(Map.of()));
        }
        Map<String, String> values = resolver.get().resolve(reference).values();
        try {
            return call.apply(values);
        } catch (CsiException e) {
            if (!e.answered(Code.UNAUTHENTICATED)) {
                throw e.toVolumeException();
            }
            Map<String, String> now = resolver.get().resolve(reference).values();
            if (now.equals(values)) {
                throw e.toVolumeException();
            }
            return Driver.translated(() -> call.apply(now));
        }
    }
}
