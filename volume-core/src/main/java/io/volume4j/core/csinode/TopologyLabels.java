package io.volume4j.core.csinode;

import io.volume4j.spi.VolumeException;
import io.volume4j.spi.host.Patch.FieldChange;
import io.volume4j.spi.model.Node;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * The labels of a Node object that say where a driver places the node. A driver may change a label of its own domain. A
 * label that other programs use too stays as it is, as with a kubelet: volumes of other drivers and pods are placed by
 * it. Pure.
 *
 * @since 0.1.0
 */
public final class TopologyLabels {
    private static final List<String> OF_KUBERNETES = List.of("kubernetes.io", "k8s.io");

    private TopologyLabels() {}

    /**
     * The changes of the node's labels for a driver's report.
     *
     * @param segments the place of the node in the driver's terms
     * @param own whether the driver is known to have reported the key before
     * @param others whether another driver reports the key
     * @throws VolumeException transient, if the report contradicts a label that the driver may not change
     */
    public static List<FieldChange> changes(
            Node node, String driver, Map<String, String> segments, Predicate<String> own, Predicate<String> others) {
        List<FieldChange> changes = new ArrayList<>();
        segments.forEach((key, value) -> {
            String label = node.metadata().labels().get(key);
            if (value.equals(label)) {
                return;
            }
            if (label != null && (others.test(key) || (common(key) && !own.test(key)))) {
                throw VolumeException.transientFailure("driver " + driver + " says that node "
                                + node.metadata().name() + " has " + key + "=" + value + ", and the node's label says "
                                + label + "; the label stays, because others are placed by it too")
                        .withAdvice("correct what the driver says, or the label if the driver is right");
            }
            changes.add(FieldChange.set(value, "metadata", "labels", key));
        });
        return changes;
    }

    /** Whether the key belongs to no driver: it is one of Kubernetes, or has no domain. */
    private static boolean common(String key) {
        int slash = key.indexOf('/');
        String domain = slash < 0 ? "" : key.substring(0, slash);
        return domain.isEmpty()
                || OF_KUBERNETES.stream().anyMatch(theirs -> domain.equals(theirs) || domain.endsWith("." + theirs));
    }
}
