package io.volume4j.spi.model;

import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * A machine, with the fields that concern volumes.
 *
 * @since 0.1.0
 */
public record Node(ObjectMeta metadata, Spec spec, Status status, Unmodeled unmodeled) implements ApiObject {
    public Node {
        Objects.requireNonNull(metadata, "metadata");
        spec = spec == null ? new Spec(List.of()) : spec;
        status = status == null ? Status.none() : status;
        unmodeled = unmodeled == null ? Unmodeled.none() : unmodeled;
    }

    @Override
    public Kind kind() {
        return Kind.NODE;
    }

    public record Spec(List<Taint> taints) {
        public Spec {
            taints = Copies.list(taints);
        }
    }

    public record Taint(String key, String value, String effect) {
        public Taint {
            key = Copies.text(key);
            value = Copies.text(value);
            effect = Copies.text(effect);
        }
    }

    /**
     * The state of the machine that the node and the control plane report to each other.
     *
     * @param volumesInUse volumes that may be mounted on the node; the node writes them
     * @param volumesAttached volumes that are attached to the node; the control plane writes them
     */
    public record Status(
            boolean ready,
            List<String> volumesInUse,
            List<AttachedVolume> volumesAttached,
            Map<String, Quantity> allocatable) {
        public Status {
            volumesInUse = Copies.list(volumesInUse);
            volumesAttached = Copies.list(volumesAttached);
            allocatable = Copies.map(allocatable);
        }

        static Status none() {
            return new Status(false, List.of(), List.of(), Map.of());
        }
    }

    public record AttachedVolume(String name, String devicePath) {
        public AttachedVolume {
            name = Copies.text(name);
            devicePath = Copies.text(devicePath);
        }
    }
}
