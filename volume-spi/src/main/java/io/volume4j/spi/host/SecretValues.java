package io.volume4j.spi.host;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * Values that must never be shown. Kept no longer than the call that needs them.
 *
 * @param values by key
 * @since 0.1.0
 */
public record SecretValues(Map<String, String> values) {
    public SecretValues {
        values = Collections.unmodifiableMap(new TreeMap<>(values));
    }

    /** Keys only. */
    @Override
    public String toString() {
        return "SecretValues" + values.keySet();
    }
}
