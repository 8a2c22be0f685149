package io.volume4j.core.control.schedule;

import io.volume4j.core.grants.AttachLimitKey;
import io.volume4j.spi.model.CsiNode;
import io.volume4j.spi.model.Node;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How many volumes of each driver a node can have, by the driver's {@link AttachLimitKey#name}. The CSINode has precedence over the
 * node's status. Pure.
 */
final class AttachLimits {
    private AttachLimits() {}

    static Map<String, Integer> of(Optional<Node> object, Optional<CsiNode> drivers) {
        Map<String, Integer> limits = new LinkedHashMap<>();
        object.ifPresent(node -> node.status()
                .allocatable()
                .forEach((resource, amount) ->
                        AttachLimitKey.named(resource).ifPresent(name -> limits.put(name, whole(amount.bytes())))));
        drivers.ifPresent(node -> node.spec().drivers().forEach(driver -> {
            @Nullable Long limit = driver.volumeLimit();
            if (limit != null) {
                limits.put(AttachLimitKey.name(driver.name()), whole(limit));
            }
        }));
        return limits;
    }

    private static int whole(long number) {
        return (int) Math.max(0, Math.min(Integer.MAX_VALUE, number));
    }
}
