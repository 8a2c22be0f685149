package io.volume4j.spi.model;

import java.util.Objects;

/** What the cluster knows of a driver as a whole. Its name is the driver's. */
public record CsiDriver(ObjectMeta metadata, Spec spec, Unmodeled unmodeled) implements ApiObject {
    public CsiDriver {
        Objects.requireNonNull(metadata, "metadata");
        spec = spec == null ? new Spec(true, false) : spec;
        unmodeled = unmodeled == null ? Unmodeled.none() : unmodeled;
    }

    @Override
    public Kind kind() {
        return Kind.CSI_DRIVER;
    }

    /**
     * How the driver is to be used.
     *
     * @param attachRequired whether its volumes are attached; true where the manifest says nothing
     * @param storageCapacity whether a pod is given only nodes for which the driver has published enough capacity
     */
    public record Spec(boolean attachRequired, boolean storageCapacity) {}
}
