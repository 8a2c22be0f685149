package io.volume4j.spi.model;

import java.util.Map;
import java.util.Objects;

/**
 * Parameters that can be changed for existing volumes, such as the throughput. The object has no {@code spec}.
 *
 * @param driverName the plugin that understands the parameters
 * @param parameters immutable; other parameters need another class
 * @since 0.1.0
 */
public record VolumeAttributesClass(
        ObjectMeta metadata, String driverName, Map<String, String> parameters, Unmodeled unmodeled)
        implements ApiObject {
    public VolumeAttributesClass {
        Objects.requireNonNull(metadata, "metadata");
        driverName = Copies.text(driverName);
        parameters = Copies.map(parameters);
        unmodeled = unmodeled == null ? Unmodeled.none() : unmodeled;
    }

    @Override
    public Kind kind() {
        return Kind.VOLUME_ATTRIBUTES_CLASS;
    }
}
