package io.volume4j.spi.plugin;

import io.volume4j.spi.CallContext;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * Changes a volume's mutable parameters, such as its throughput.
 *
 * @since 0.1.0
 */
public interface Modifier {
    /** Applies all values. Idempotent. */
    void modify(ModifyRequest request, CallContext context);

    /**
     * The parameters to apply.
     *
     * @param unsettled the parameters of an earlier call whose outcome is unknown; empty if there is none. The plugin
     *     must settle that call first, because the backend may still be executing it
     */
    record ModifyRequest(VolumeSpec spec, Map<String, String> parameters, Map<String, String> unsettled) {
        public ModifyRequest {
            parameters = Collections.unmodifiableMap(new TreeMap<>(parameters));
            unsettled = Collections.unmodifiableMap(new TreeMap<>(unsettled));
        }

        /** A request after no call with an unknown outcome. */
        public ModifyRequest(VolumeSpec spec, Map<String, String> parameters) {
            this(spec, parameters, Map.of());
        }
    }
}
