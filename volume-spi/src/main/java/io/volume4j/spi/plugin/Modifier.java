package io.volume4j.spi.plugin;

import io.volume4j.spi.CallContext;
import java.util.Map;

/** Changes a volume's mutable parameters, such as its throughput. */
public interface Modifier {
    /** Applies all values; applied already is success. Infeasible means that nothing was applied. */
    void modify(ModifyRequest request, CallContext context);

    /** What to apply. */
    record ModifyRequest(VolumeSpec spec, Map<String, String> parameters) {}
}
