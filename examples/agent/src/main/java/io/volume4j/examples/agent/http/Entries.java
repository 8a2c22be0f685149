package io.volume4j.examples.agent.http;

import io.volume4j.spi.host.ClusterException;
import io.volume4j.spi.host.ClusterException.Reason;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The entries of a secret or a config map, for which the library has no record. Never shows their values. */
final class Entries {
    private final String what;
    private final Map<String, @Nullable Object> tree;

    private Entries(String what, Map<String, @Nullable Object> tree) {
        this.what = what;
        this.tree = tree;
    }

    /**
     * Empty only if the server answers that this object does not exist, or if no object can have this name.
     *
     * @throws ClusterException in all other cases
     */
    static Optional<Entries> read(ApiServer server, String what, String plural, String namespace, String name) {
        if (!ApiPath.canExist(namespace, name)) {
            return Optional.empty();
        }
        String path = ApiPath.inNamespace(what, namespace, plural, name);
        try {
            Entries read = new Entries(what, server.call(what, name, "GET", path));
            Map<String, @Nullable Object> metadata = Json.map(read.tree, "metadata");
            if (!Json.text(metadata, "name").equals(name)
                    || !Json.text(metadata, "namespace").equals(namespace)) {
                throw ObjectReader.unavailable(what, "the answer is something else");
            }
            return Optional.of(read);
        } catch (ClusterException failed) {
            if (failed.reason() == Reason.NOT_FOUND) {
                return Optional.empty();
            }
            throw failed;
        }
    }

    /** The field's entries, decoded from base64. */
    Map<String, byte[]> ofBase64(String field) {
        Map<String, byte[]> bytes = new TreeMap<>();
        texts(field).forEach((key, value) -> {
            try {
                bytes.put(key, Base64.getDecoder().decode(value));
            } catch (IllegalArgumentException noBase64) {
                // Without the cause, which repeats a character of the value.
                throw ObjectReader.unavailable(what, "what stands at its key " + key + " is no base64");
            }
        });
        return bytes;
    }

    /** The field's entries as UTF-8. */
    Map<String, byte[]> ofText(String field) {
        Map<String, byte[]> bytes = new TreeMap<>();
        texts(field).forEach((key, value) -> bytes.put(key, value.getBytes(StandardCharsets.UTF_8)));
        return bytes;
    }

    private Map<String, String> texts(String field) {
        Map<String, String> texts = new TreeMap<>();
        Json.map(tree, field).forEach((key, value) -> {
            if (!(value instanceof String text)) {
                throw ObjectReader.unavailable(what, "what stands at its key " + key + " is no text");
            }
            texts.put(key, text);
        });
        return texts;
    }

    @Override
    public String toString() {
        return "Entries[" + what + "]";
    }
}
