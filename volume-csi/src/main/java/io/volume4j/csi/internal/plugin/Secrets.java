package io.volume4j.csi.internal.plugin;

import io.grpc.Status.Code;
import io.volume4j.csi.internal.client.CsiException;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.host.SecretResolver;
import io.volume4j.spi.model.OneLine;
import io.volume4j.spi.model.SecretRef;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Resolves secrets for each call and keeps none. If a driver rejects them, the library reads them again and repeats the
 * call once if they have changed: an administrator may rotate secrets while calls wait.
 */
final class Secrets {
    private static final Logger LOG = LoggerFactory.getLogger(Secrets.class);

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
        return with(reference, secret -> resolver.get().resolve(secret).values(), call);
    }

    /**
     * The same for the deletion of a volume or snapshot: without values if the secret certainly does not exist any more, because
     * users delete a namespace with its secrets before the volumes and snapshots are deleted. The driver decides whether it needs
     * them. external-provisioner also deletes without values if it cannot read the secret; external-snapshotter waits for it.
     */
    <T> T withIfThere(@Nullable SecretRef reference, Function<Map<String, String>, T> call) {
        return with(reference, this::valuesIfThere, call);
    }

    private Map<String, String> valuesIfThere(SecretRef reference) {
        try {
            return resolver.get().resolve(reference).values();
        } catch (VolumeException unreadable) {
            if (resolver.get().content(reference).isPresent()) {
                throw unreadable;
            }
            LOG.atInfo()
                    .addKeyValue("secret", OneLine.name(reference.namespace()) + "/" + OneLine.name(reference.name()))
                    .log("the secret for a deletion does not exist; the driver is called without it");
            return Map.of();
        }
    }

    private static <T> T with(
            @Nullable SecretRef reference,
            Function<SecretRef, Map<String, String>> read,
            Function<Map<String, String>, T> call) {
        if (reference == null) {
            return Driver.translated(() -> call.apply(Map.of()));
        }
        Map<String, String> values = read.apply(reference);
        try {
            return call.apply(values);
        } catch (CsiException e) {
            if (!e.answered(Code.UNAUTHENTICATED)) {
                throw e.toVolumeException();
            }
            Map<String, String> now = read.apply(reference);
            if (now.equals(values)) {
                throw e.toVolumeException();
            }
            return Driver.translated(() -> call.apply(now));
        }
    }
}
