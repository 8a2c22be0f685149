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
    /** Applies all values; applied already is success. Infeasible means that nothing was applied. */
    void modify(ModifyRequest request, CallContext context);

    /**
     * What to apply.
     *
     * @param unsettled what an earlier call was to apply with an unknown outcome, empty if nothing is in doubt; it
     *     is settled first, because a backend may still be at work on it
     */
    record ModifyRequest(VolumeSpec spec, Map<String, String> parameters, Map<String, String> unsettled) {
        public ModifyRequest {
            parameters = Collections.unmodifiableMap(new TreeMap<>(parameters));
            unsettled = Collections.unmodifiableMap(new TreeMap<>(unsettled));
        }

        /** With nothing in doubt. */
        public ModifyRequest(VolumeSpec spec, Map<String, String> parameters) {
            this(spec, parameters, Map.of());
        }
    }
}
