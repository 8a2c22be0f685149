package io.volume4j.core.node.desired;

import io.volume4j.spi.model.Container;
import io.volume4j.spi.model.EmptyDirSource;
import io.volume4j.spi.model.Pod;
import io.volume4j.spi.model.Quantity;
import io.volume4j.spi.model.VolumeSource;
import java.util.OptionalLong;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * The size limit of an emptyDir: the smaller of its own limit and the pod's limit of the same resource, memory or
 * ephemeral storage. As for the pod's control group, a pod has a limit only if each of its containers has one. The
 * pod's limit is the sum of the limits of its containers, sidecars included, or a larger one of an init container
 * together with the sidecars that run already.
 */
public final class SizeLimit {
    private SizeLimit() {}

    /** The limit in bytes, 0 for none. */
    public static long of(Pod pod, VolumeSource source) {
        if (!(source instanceof EmptyDirSource directory)) {
            return 0;
        }
        Quantity own = directory.sizeLimit();
        OptionalLong pods = switch (directory.medium()) {
            case "" -> ofPod(pod.spec(), "ephemeral-storage");
            case "Memory" -> ofPod(pod.spec(), "memory");
            default -> OptionalLong.empty();
        };
        return LongStream.of(own == null ? 0 : own.bytes(), pods.orElse(0))
                .filter(bytes -> bytes > 0)
                .min()
                .orElse(0);
    }

    private static OptionalLong ofPod(Pod.Spec spec, String resource) {
        boolean everywhere = !spec.containers().isEmpty()
                && Stream.concat(spec.initContainers().stream(), spec.containers().stream())
                        .allMatch(container -> limit(container, resource) > 0);
        if (!everywhere) {
            return OptionalLong.empty();
        }
        long sidecars = 0;
        long before = 0;
        for (Container container : spec.initContainers()) {
            long own = limit(container, resource);
            before = Math.max(before, sidecars + own);
            sidecars += container.alwaysRestarts() ? own : 0;
        }
        long together = spec.containers().stream()
                .mapToLong(container -> limit(container, resource))
                .sum();
        return OptionalLong.of(Math.max(sidecars + together, before));
    }

    private static long limit(Container container, String resource) {
        Quantity limit = container.limits().get(resource);
        return limit == null ? 0 : limit.bytes();
    }
}
