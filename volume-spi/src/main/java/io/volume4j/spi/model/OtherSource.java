package io.volume4j.spi.model;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A source for which the library has no record. It keeps the fields as they were written.
 *
 * @param type its key in the manifest; {@code ""} if the manifest has no source
 * @since 0.1.0
 */
public record OtherSource(String type, Map<String, @Nullable Object> fields) implements VolumeSource {
    public OtherSource {
        type = Copies.text(type);
        fields = Copies.map(fields);
    }

    /** Does not contain the values, because such a source may contain credentials. */
    @Override
    public String toString() {
        return "OtherSource[" + type + " " + fields.keySet() + "]";
    }
}
