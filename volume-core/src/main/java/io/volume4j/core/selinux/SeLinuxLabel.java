package io.volume4j.core.selinux;

import io.volume4j.spi.model.Container;
import io.volume4j.spi.model.Pod;
import io.volume4j.spi.model.Pod.SeLinuxOptions;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The SELinux context of a pod's volume as text, to compare and for mount options. Does not need SELinux. Pure. */
public final class SeLinuxLabel {
    private SeLinuxLabel() {}

    /**
     * The context with which a pod's volume is mounted: that of the containers that mount it, each with its own or the
     * pod's. Contexts without a level do not count, because the level separates pods; other missing parts get the
     * defaults of container runtimes. {@code ""} if there is none, or if the pod wants none on its mounts: then the
     * runtime labels the files. Ephemeral containers use the volume with the same context.
     *
     * @param volume the pod's name for it
     */
    public static String of(Pod pod, String volume) {
        List<Container> those = differing(pod, volume);
        return those.isEmpty() ? "" : of(effective(pod, those.get(0)));
    }

    /** Whether a container of the pod mounts the volume. Ephemeral containers do not count. */
    public static boolean mounted(Pod pod, String volume) {
        return Stream.of(pod.spec().initContainers(), pod.spec().containers())
                .flatMap(List::stream)
                .anyMatch(container -> mounts(container, volume));
    }

    /** Whether the pod wants the runtime to label its files one by one, and no context on its mounts. */
    public static boolean recursive(Pod pod) {
        return pod.spec().securityContext().seLinuxChangePolicy().equals("Recursive");
    }

    /** Why the volume cannot have one context for all containers of the pod, {@code ""} if it can. */
    public static String conflict(Pod pod, String volume) {
        List<Container> those = differing(pod, volume);
        if (those.size() < 2) {
            return "";
        }
        return "containers " + those.get(0).name() + " and " + those.get(1).name()
                + " mount it with the SELinux contexts "
                + of(effective(pod, those.get(0))) + " and " + of(effective(pod, those.get(1)))
                + ", and it is mounted with one: give both the same seLinuxOptions, or the pod seLinuxChangePolicy: Recursive";
    }

    /** One container for each different context of the volume in the pod. */
    private static List<Container> differing(Pod pod, String volume) {
        Pod.Spec spec = pod.spec();
        if (recursive(pod)) {
            return List.of();
        }
        Map<String, Container> byLabel = new LinkedHashMap<>();
        for (List<Container> containers : List.of(spec.initContainers(), spec.containers())) {
            for (Container container : containers) {
                String label = of(effective(pod, container));
                if (!label.isEmpty() && !byLabel.containsKey(label) && mounts(container, volume)) {
                    byLabel.put(label, container);
                }
            }
        }
        return List.copyOf(byLabel.values());
    }

    private static boolean mounts(Container container, String volume) {
        return container.volumeMounts().stream().anyMatch(mount -> mount.name().equals(volume));
    }

    private static @Nullable SeLinuxOptions effective(Pod pod, Container container) {
        return container.seLinuxOptions() == null
                ? pod.spec().securityContext().seLinuxOptions()
                : container.seLinuxOptions();
    }

    private static String of(@Nullable SeLinuxOptions options) {
        if (options == null || options.level().isEmpty()) {
            return "";
        }
        return orElse(options.user(), "system_u") + ":" + orElse(options.role(), "object_r") + ":"
                + orElse(options.type(), "container_file_t") + ":" + options.level();
    }

    private static String orElse(String text, String fallback) {
        return text.isEmpty() ? fallback : text;
    }
}
