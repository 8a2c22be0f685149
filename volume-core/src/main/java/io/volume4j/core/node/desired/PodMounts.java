package io.volume4j.core.node.desired;

import io.volume4j.core.node.desired.ResolvedPod.ResolvedVolume;
import io.volume4j.core.node.state.NodeLayout;
import io.volume4j.core.subpath.SubPath;
import io.volume4j.core.volumes.MountedPod;
import io.volume4j.core.volumes.MountedPod.ContainerDevice;
import io.volume4j.core.volumes.MountedPod.ContainerMount;
import io.volume4j.core.volumes.MountedPod.ContainerVolumes;
import io.volume4j.core.volumes.MountedPod.MountedVolume;
import io.volume4j.spi.model.Container;
import io.volume4j.spi.model.Container.VolumeDevice;
import io.volume4j.spi.model.Container.VolumeMount;
import io.volume4j.spi.model.OneLine;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.Pod;
import io.volume4j.spi.model.WellKnown;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Computes the mounts of a pod's containers from the volumes that are mounted for the pod. Pure. */
public final class PodMounts {
    private final NodeLayout layout;
    private final boolean recursiveReadOnly;

    /** @param recursiveReadOnly whether this machine supports recursive read-only mounts */
    public PodMounts(NodeLayout layout, boolean recursiveReadOnly) {
        this.layout = layout;
        this.recursiveReadOnly = recursiveReadOnly;
    }

    /** The pod with those of its volumes that are certainly mounted, if all their subPaths are bound. */
    public MountedPod of(ResolvedPod pod, Map<String, MountedVolume> volumes) {
        return of(pod, volumes, Map.of());
    }

    /**
     * The pod with those of its volumes that are certainly mounted.
     *
     * @param unbound why subPaths of ephemeral containers are not bound yet, by volume name
     */
    public MountedPod of(ResolvedPod pod, Map<String, MountedVolume> volumes, Map<String, String> unbound) {
        Map<String, ContainerVolumes> containers = new LinkedHashMap<>();
        for (Container container : pod.pod().spec().initContainers()) {
            containers.put(container.name(), of(pod, container, volumes));
        }
        for (Container container : pod.pod().spec().containers()) {
            containers.put(container.name(), of(pod, container, volumes));
        }
        List<Container> later = pod.pod().spec().ephemeralContainers();
        if (!later.isEmpty()) {
            EphemeralContainers rules = new EphemeralContainers(pod.pod(), recursiveReadOnly);
            later.forEach(container ->
                    containers.putIfAbsent(container.name(), ephemeral(pod, container, volumes, rules, unbound)));
        }
        return new MountedPod(pod.uid(), volumes, containers, supplementalGroups(pod));
    }

    private ContainerVolumes ephemeral(
            ResolvedPod pod,
            Container container,
            Map<String, MountedVolume> volumes,
            EphemeralContainers rules,
            Map<String, String> unbound) {
        String problem = rules.problem(container);
        if (!problem.isEmpty()) {
            return new ContainerVolumes(List.of(), List.of(), problem);
        }
        for (VolumeMount mount : container.volumeMounts()) {
            String why = unbound.getOrDefault(mount.name(), "");
            if (!SubPath.isWhole(mount.subPath()) && !why.isEmpty()) {
                return new ContainerVolumes(
                        List.of(),
                        List.of(),
                        "subPath " + OneLine.name(mount.subPath()) + " of volume " + mount.name() + ": " + why);
            }
        }
        return of(pod, container, volumes);
    }

    private ContainerVolumes of(ResolvedPod pod, Container container, Map<String, MountedVolume> volumes) {
        List<ContainerMount> mounts = new ArrayList<>();
        for (int i = 0; i < container.volumeMounts().size(); i++) {
            VolumeMount mount = container.volumeMounts().get(i);
            MountedVolume volume = volumes.get(mount.name());
            if (volume != null) {
                String outerName = String.valueOf(volume.path().getFileName());
                mounts.add(mount(
                        mount,
                        volume,
                        SubPath.isWhole(mount.subPath()) || volume.byRuntime()
                                ? volume.path()
                                : layout.subPath(pod.uid(), outerName, container.name(), i)
                                        .absolute()));
            }
        }
        List<ContainerDevice> devices = new ArrayList<>();
        for (VolumeDevice device : container.volumeDevices()) {
            MountedVolume volume = volumes.get(device.name());
            if (volume != null) {
                devices.add(new ContainerDevice(device.name(), volume.path(), device.devicePath(), volume.readOnly()));
            }
        }
        return new ContainerVolumes(mounts, devices);
    }

    private ContainerMount mount(VolumeMount mount, MountedVolume volume, Path hostPath) {
        MountSettings settings = MountSettings.of(mount, volume.readOnly(), recursiveReadOnly);
        return new ContainerMount(
                mount.name(),
                hostPath,
                mount.mountPath(),
                settings.readOnly(),
                settings.recursiveReadOnly(),
                settings.propagation(),
                volume.byRuntime() ? mount.subPath() : "");
    }

    /**
     * The groups that the pod's PersistentVolumes request by an annotation, and that the pod does not request itself.
     * Ignores values that are not numbers.
     */
    public static List<Long> supplementalGroups(ResolvedPod pod) {
        Set<Long> groups = new LinkedHashSet<>();
        for (ResolvedVolume volume : pod.volumes().values()) {
            PersistentVolume source = volume.spec().persistentVolume();
            String text = source == null ? "" : source.metadata().annotation(WellKnown.VOLUME_GID);
            if (isGroup(text)) {
                groups.add(Long.parseLong(text));
            }
        }
        Pod.SecurityContext context = pod.pod().spec().securityContext();
        groups.removeAll(context.supplementalGroups());
        return new ArrayList<>(groups);
    }

    /** A group id is a number of 32 bits; the last means "no change" to chown(2). */
    private static boolean isGroup(String text) {
        return !text.isEmpty()
                && text.length() <= 10
                && text.chars().allMatch(c -> c >= '0' && c <= '9')
                && Long.parseLong(text) < 0xFFFFFFFFL;
    }
}
