package io.volume4j.spi.plugin;

import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * Data that a plugin gets back at its next call for the same volume, also after a restart of the process. The library
 * writes it to the journal, so it must not contain a secret.
 *
 * @param version version of the plugin's own format; the plugin must be able to read every version that it ever wrote
 * @param values at most {@value #MAX_BYTES} bytes, keys and values together, in UTF-8
 * @since 0.1.0
 */
public record PluginState(int version, Map<String, String> values) {
    /** The maximum size of one state, in bytes. */
    public static final int MAX_BYTES = 8192;

    private static final PluginState NONE = new PluginState(0, Map.of());

    public PluginState {
        values = Collections.unmodifiableMap(new TreeMap<>(values));
        int size = 0;
        for (Map.Entry<String, String> entry : values.entrySet()) {
            size += entry.getKey().getBytes(StandardCharsets.UTF_8).length;
            size += entry.getValue().getBytes(StandardCharsets.UTF_8).length;
        }
        if (size > MAX_BYTES) {
            throw new IllegalArgumentException("plugin state of " + size + " bytes, allowed are " + MAX_BYTES);
        }
    }

    /** An empty state. */
    public static PluginState none() {
        return NONE;
    }

    public boolean isEmpty() {
        return values.isEmpty();
    }

    /** The value of the key, {@code ""} if there is none. */
    public String get(String key) {
        return values.getOrDefault(key, "");
    }
}
