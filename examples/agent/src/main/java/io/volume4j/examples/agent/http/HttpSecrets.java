package io.volume4j.examples.agent.http;

import io.volume4j.spi.VolumeException;
import io.volume4j.spi.host.ClusterException;
import io.volume4j.spi.host.ClusterException.Reason;
import io.volume4j.spi.host.SecretResolver;
import io.volume4j.spi.host.SecretValues;
import io.volume4j.spi.model.SecretRef;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Secrets of the API server: one request for each that is named, when it is needed, and nothing of it is kept, logged or
 * repeated in an error. There is no list of them and no watch, so the agent's user needs no more than {@code get}.
 */
final class HttpSecrets implements SecretResolver {
    private final ApiServer server;

    HttpSecrets(ApiServer server) {
        this.server = server;
    }

    @Override
    public SecretValues resolve(SecretRef reference) {
        Map<String, String> values = new TreeMap<>();
        Map<String, byte[]> content = content(reference)
                .orElseThrow(() -> VolumeException.transientFailure(said(reference) + " does not exist")
                        .withAdvice("create it"));
        content.forEach((key, value) -> values.put(key, text(reference, key, value)));
        return new SecretValues(values);
    }

    @Override
    public Optional<Map<String, byte[]>> content(SecretRef reference) {
        String what = "read " + said(reference);
        try {
            return Entries.read(server, what, "secrets", reference.namespace(), reference.name())
                    .map(secret -> secret.ofBase64("data"));
        } catch (ClusterException failed) {
            throw failure(failed);
        }
    }

    /** What a call of a plugin is to make of it: nothing was done, and another time it may succeed. */
    static VolumeException failure(ClusterException failed) {
        VolumeException unreadable = VolumeException.transientFailure(failed.getMessage());
        return failed.reason() == Reason.FORBIDDEN
                ? unreadable.withAdvice("allow the agent's user to do that")
                : unreadable;
    }

    private static String text(SecretRef reference, String key, byte[] value) {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(value))
                    .toString();
        } catch (CharacterCodingException binary) {
            // Without the cause, though it says no more than a length.
            throw VolumeException.transientFailure(
                            said(reference) + " holds no text at the key " + key + ", as storage expects")
                    .withAdvice("see what it was created from");
        }
    }

    private static String said(SecretRef reference) {
        return "secret " + reference.namespace() + "/" + reference.name();
    }

    @Override
    public String toString() {
        return "HttpSecrets" + server.at();
    }
}
