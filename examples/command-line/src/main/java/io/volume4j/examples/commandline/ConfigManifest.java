package io.volume4j.examples.commandline;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A ConfigMap or Secret of a manifest, for which the library has no records: it asks the host when a volume needs one.
 *
 * @param entries its data by keys; of a Secret they are secret, and {@link #toString} leaves them out
 */
public record ConfigManifest(boolean secret, String namespace, String name, Map<String, byte[]> entries) {
    public ConfigManifest {
        entries = Collections.unmodifiableMap(new TreeMap<>(entries));
    }

    /**
     * Reads the object if it is one of these.
     *
     * @param tree its document
     * @return empty for an object of another kind
     * @throws Usage if it is one and cannot be read; the message holds no value
     */
    public static Optional<ConfigManifest> of(Map<String, @Nullable Object> tree) {
        String kind = String.valueOf(tree.get("kind"));
        boolean secret = kind.equals("Secret");
        if (!secret && !kind.equals("ConfigMap")) {
            return Optional.empty();
        }
        Map<?, ?> metadata = map(tree, "metadata", kind);
        if (!(metadata.get("name") instanceof String name) || name.isBlank()) {
            throw new Usage("a " + kind + " needs metadata.name");
        }
        String namespace = metadata.get("namespace") instanceof String given ? given : "default";
        String what = kind + " " + namespace + "/" + name;
        Map<String, byte[]> entries = secret ? base64(tree, "data", what) : texts(tree, "data", what);
        entries.putAll(secret ? texts(tree, "stringData", what) : base64(tree, "binaryData", what));
        return Optional.of(new ConfigManifest(secret, namespace, name, entries));
    }

    private static Map<?, ?> map(Map<String, @Nullable Object> tree, String field, String what) {
        Object value = tree.get(field);
        if (value != null && !(value instanceof Map<?, ?>)) {
            throw new Usage(what + ": " + field + " must be keys with values");
        }
        return value instanceof Map<?, ?> map ? map : Map.of();
    }

    private static Map<String, byte[]> texts(Map<String, @Nullable Object> tree, String field, String what) {
        Map<String, byte[]> entries = new TreeMap<>();
        map(tree, field, what).forEach((key, value) -> {
            if (!(value instanceof String text)) {
                throw new Usage(what + ": " + field + "." + key + " must be text: quote it");
            }
            entries.put(String.valueOf(key), text.getBytes(StandardCharsets.UTF_8));
        });
        return entries;
    }

    private static Map<String, byte[]> base64(Map<String, @Nullable Object> tree, String field, String what) {
        Map<String, byte[]> entries = new TreeMap<>();
        map(tree, field, what).forEach((key, value) -> {
            try {
                entries.put(
                        String.valueOf(key),
                        Base64.getDecoder().decode(String.valueOf(value).getBytes(StandardCharsets.US_ASCII)));
            } catch (IllegalArgumentException notBase64) {
                throw new Usage(what + ": " + field + "." + key + " is not base64");
            }
        });
        return entries;
    }

    @Override
    public String toString() {
        return (secret ? "Secret " : "ConfigMap ") + namespace + "/" + name;
    }
}
