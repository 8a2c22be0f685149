package io.volume4j.spi.plugin;

import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * What a plugin wants back at the next call for the same volume, also after a restart of the process. It is written to
 * the journal, so it must hold no secret.
 *
 * @param version of the plugin's own format; the plugin must read every version that it ever wrote
 * @param values at most {@value #MAX_BYTES} bytes, keys and values together, in UTF-8
 * @since 0.1.0
 */
public record PluginState(int version, Map<String, String> values) {
    /** The most that one state may hold. */
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

    /** Nothing to remember. */
    public static PluginState none() {
        return NONE;
    }

    public boolean isEmpty() {
        return values.isEmpty();
    }

    /** The value, {@code ""} where there is none. */
    public String get(String key) {
        return values.getOrDefault(key, "");
    }
}
