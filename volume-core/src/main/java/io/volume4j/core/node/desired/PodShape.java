package io.volume4j.core.node.desired;

import io.volume4j.spi.model.Container;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.Pod;
import io.volume4j.spi.model.PodVolume;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What the pod's object alone defines about its volumes: which of them containers use and how, and which ones
 * containers cannot have as they request. Computed once for a pod, so that one volume can be resolved without the
 * others. Immutable.
 */
final class PodShape {
    private final Map<String, PodVolume> volumes = new HashMap<>();
    private final Map<ObjectKey, List<String>> byClaim = new HashMap<>();
    private final Set<String> asFiles = new LinkedHashSet<>();
    private final Set<String> asDevices = new LinkedHashSet<>();
    private final Map<String, String> unmountable = new HashMap<>();
    private final String nameOfTwo;

    /** @param unmountable why containers cannot have volumes as they request, by the pod's volume names */
    PodShape(Pod pod, Map<String, String> unmountable) {
        pod.spec().initContainers().forEach(this::uses);
        pod.spec().containers().forEach(this::uses);
        pod.spec().ephemeralContainers().forEach(this::usesAsOthers);
        this.unmountable.putAll(unmountable);
        this.nameOfTwo = nameOfTwo(pod);
        for (PodVolume volume : pod.spec().volumes()) {
            String name = volume.name();
            if (asFiles.contains(name) || asDevices.contains(name)) {
                volumes.put(name, volume);
                String claim = PodResolver.claimName(pod, volume);
                if (!claim.isEmpty()) {
                    byClaim.computeIfAbsent(
                                    ObjectKey.claim(pod.metadata().namespace(), claim), key -> new ArrayList<>(1))
                            .add(name);
                }
            }
        }
    }

    private void uses(Container container) {
        container.volumeMounts().forEach(mount -> asFiles.add(mount.name()));
        container.volumeDevices().forEach(device -> asDevices.add(device.name()));
    }

    /**
     * A user adds an ephemeral container to a running pod, and it is never removed: a wrong request of it must not
     * affect the other containers. So the mode in which the others use a volume counts, whatever the ephemeral
     * container requests.
     */
    private void usesAsOthers(Container container) {
        for (Container.VolumeMount mount : container.volumeMounts()) {
            if (!asDevices.contains(mount.name())) {
                asFiles.add(mount.name());
            }
        }
        for (Container.VolumeDevice device : container.volumeDevices()) {
            if (!asFiles.contains(device.name())) {
                asDevices.add(device.name());
            }
        }
    }

    /**
     * A name that two containers have, of whatever kind; {@code ""} if all names differ. Both containers would have
     * the same directory for subPaths, and see each other's. Mounts of an earlier version for such a pod stay until
     * the pod is deleted.
     */
    private static String nameOfTwo(Pod pod) {
        Set<String> names = new LinkedHashSet<>();
        for (List<Container> containers :
                List.of(pod.spec().initContainers(), pod.spec().containers())) {
            for (Container container : containers) {
                if (!names.add(container.name()) && !container.name().isEmpty()) {
                    return container.name();
                }
            }
        }
        return "";
    }

    String nameOfTwo() {
        return nameOfTwo;
    }

    boolean used(String name) {
        return asFiles.contains(name) || asDevices.contains(name);
    }

    boolean asFiles(String name) {
        return asFiles.contains(name);
    }

    boolean asDevice(String name) {
        return asDevices.contains(name);
    }

    /** Why a container cannot have the volume as it requests, {@code ""} if it can. */
    String whyUnmountable(String name) {
        return unmountable.getOrDefault(name, "");
    }

    /** The volume that containers use under the name. */
    PodVolume volume(String name) {
        PodVolume volume = volumes.get(name);
        if (volume == null) {
            throw new IllegalArgumentException("no container uses volume " + name);
        }
        return volume;
    }

    /** The pod's volume names for the claim, if containers use them. */
    List<String> namesOf(ObjectKey claim) {
        return byClaim.getOrDefault(claim, List.of());
    }
}
