package io.volume4j.examples.agent.http;

import io.volume4j.spi.VolumeException;
import io.volume4j.spi.host.ClusterException;
import io.volume4j.spi.host.ClusterException.Reason;
import io.volume4j.spi.host.SecretResolver;
import io.volume4j.spi.host.SecretValues;
import io.volume4j.spi.model.OneLine;
import io.volume4j.spi.model.SecretRef;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Secrets of the API server: one request for each secret when it is needed. The adapter does not store or log secrets,
 * and no error contains them. It never lists or watches them, so the agent's user needs only {@code get}.
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

    /** The failure for a call of a plugin: nothing was done, and a later attempt may succeed. */
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
            // Without the cause, which contains only a length.
            throw VolumeException.transientFailure(
                            said(reference) + " holds no text at the key " + key + ", as storage expects")
                    .withAdvice("see what it was created from");
        }
    }

    private static String said(SecretRef reference) {
        return "secret " + OneLine.name(reference.namespace()) + "/" + OneLine.name(reference.name());
    }

    @Override
    public String toString() {
        return "HttpSecrets" + server.at();
    }
}
