package io.volume4j.spi.model;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A source without a record of its own, kept as it was written.
 *
 * @param type its key in the manifest; {@code ""} where the manifest named no source at all
 * @since 0.1.0
 */
public record OtherSource(String type, Map<String, @Nullable Object> fields) implements VolumeSource {
    public OtherSource {
        type = Copies.text(type);
        fields = Copies.map(fields);
    }

    /** Such a source may hold anything, credentials too: its values are not shown. */
    @Override
    public String toString() {
        return "OtherSource[" + type + " " + fields.keySet() + "]";
    }
}
