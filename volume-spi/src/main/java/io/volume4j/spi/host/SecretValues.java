package io.volume4j.spi.host;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * The values of a secret. They must never appear in logs, messages or files. The library keeps them only during the
 * call that needs them.
 *
 * @param values by key
 * @since 0.1.0
 */
public record SecretValues(Map<String, String> values) {
    public SecretValues {
        values = Collections.unmodifiableMap(new TreeMap<>(values));
    }

    /** The keys, without the values. */
    @Override
    public String toString() {
        return "SecretValues" + values.keySet();
    }
}
