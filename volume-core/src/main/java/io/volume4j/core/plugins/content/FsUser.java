package io.volume4j.core.plugins.content;

import io.volume4j.spi.model.Container;
import io.volume4j.spi.model.Pod;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The user of a pod whose containers all run as the same user. This user owns the credentials of the pod. */
final class FsUser {
    private FsUser() {}

    /**
     * The user ID; null if containers have different users, or if the image of a container determines its user. Init
     * containers and ephemeral containers count like the others. A container's own {@code runAsUser} overrides that of
     * the pod. The rule is that of the kubelet ({@code FsUserFrom} in {@code pkg/volume/util}, Kubernetes 1.37).
     */
    static @Nullable Long of(Pod.Spec pod) {
        Long common = pod.securityContext().runAsUser();
        Set<Long> users = new TreeSet<>();
        for (Container container : containers(pod)) {
            Long own = container.runAsUser();
            Long user = own == null ? common : own;
            if (user == null) {
                return null;
            }
            users.add(user);
        }
        return users.size() == 1 ? users.iterator().next() : null;
    }

    private static List<Container> containers(Pod.Spec pod) {
        return Stream.of(pod.initContainers(), pod.containers(), pod.ephemeralContainers())
                .flatMap(List::stream)
                .toList();
    }
}
