package io.volume4j.core.node.desired;

import io.volume4j.core.node.state.NodeLayout;
import io.volume4j.core.subpath.SubPath;
import io.volume4j.spi.model.Container;
import io.volume4j.spi.model.Container.VolumeMount;
import io.volume4j.spi.model.Pod;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The volumes that the ephemeral containers of a pod may use. A user adds them to a running pod, and they are never
 * removed. So a mistake in one affects only that container, while a mistake in another container affects the whole
 * pod. Pure.
 */
public final class EphemeralContainers {
    private final List<Container> containers;
    private final Set<String> otherNames = new LinkedHashSet<>();
    private final Set<String> asFiles = new LinkedHashSet<>();
    private final Set<String> asDevices = new LinkedHashSet<>();
    private final boolean recursiveReadOnly;

    /** @param recursiveReadOnly whether this machine supports recursive read-only mounts */
    public EphemeralContainers(Pod pod, boolean recursiveReadOnly) {
        this.containers = pod.spec().ephemeralContainers();
        this.recursiveReadOnly = recursiveReadOnly;
        Stream.concat(pod.spec().initContainers().stream(), pod.spec().containers().stream())
                .forEach(other -> {
                    otherNames.add(other.name());
                    other.volumeMounts().forEach(mount -> asFiles.add(mount.name()));
                    other.volumeDevices().forEach(device -> asDevices.add(device.name()));
                });
    }

    /** Why the container cannot have the volumes that it requests, {@code ""} if it can. */
    public String problem(Container container) {
        if (isNameOfTwo(container)) {
            return "another container of the pod is called " + container.name()
                    + ", and a container finds its volumes by its name";
        }
        for (VolumeMount mount : container.volumeMounts()) {
            String problem = MountSettings.problem(mount, recursiveReadOnly);
            if (!problem.isEmpty()) {
                return problem;
            }
            if (asDevices.contains(mount.name())) {
                return "volume " + mount.name()
                        + " is a raw device for the pod: use it in volumeDevices, not volumeMounts";
            }
            if (!SubPath.isWhole(mount.subPath()) && !NodeLayout.isFileName(container.name())) {
                return "it sees a part of volume " + mount.name() + ", and its name cannot be used as a file name";
            }
        }
        return container.volumeDevices().stream()
                .filter(device -> asFiles.contains(device.name()))
                .findFirst()
                .map(device -> "volume " + device.name()
                        + " holds files for the pod: use it in volumeMounts, not volumeDevices")
                .orElse("");
    }

    private boolean isNameOfTwo(Container container) {
        return otherNames.contains(container.name())
                || containers.stream()
                                .filter(each -> each.name().equals(container.name()))
                                .count()
                        > 1;
    }
}
