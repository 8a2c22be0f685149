package io.volume4j.inmemory.node;

import io.volume4j.inmemory.cluster.InMemoryCluster;
import io.volume4j.spi.model.ClaimSource;
import io.volume4j.spi.model.Container;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.ObjectMeta;
import io.volume4j.spi.model.Pod;
import io.volume4j.spi.model.PodPhase;
import io.volume4j.spi.model.PodVolume;
import io.volume4j.spi.model.Unmodeled;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Pods of the node as objects. */
final class PodObjects {
    private PodObjects() {}
    /** A pod whose one container uses all the volumes, raw ones as devices. */
    static Pod pod(String name, List<PodVolume> volumes, Predicate<PodVolume> raw, Pod.SecurityContext context) {
        List<Container.VolumeMount> mounts = new ArrayList<>();
        List<Container.VolumeDevice> devices = new ArrayList<>();
        for (PodVolume volume : volumes) {
            if (raw.test(volume)) {
                devices.add(new Container.VolumeDevice(volume.name(), "/dev/" + volume.name()));
            } else {
                mounts.add(new Container.VolumeMount(volume.name(), "/" + volume.name(), "", false, "", ""));
            }
        }
        return running(name, volumes, List.of(new Container("app", mounts, devices, Map.of(), Map.of())), context);
    }

    /**
     * A pod with a group, of whose containers {@code app} sees the claims as they are and {@code side} a part of each.
     *
     * @param subPath {@code ""} for a pod without the second container
     */
    static Pod prepared(String name, @Nullable Long fsGroup, String changePolicy, String subPath, String... claims) {
        List<PodVolume> volumes = new ArrayList<>();
        List<Container.VolumeMount> whole = new ArrayList<>();
        List<Container.VolumeMount> parts = new ArrayList<>();
        for (String claim : claims) {
            volumes.add(new PodVolume(claim, new ClaimSource(claim, false)));
            whole.add(new Container.VolumeMount(claim, "/" + claim, "", false, "", ""));
            parts.add(new Container.VolumeMount(claim, "/" + claim, subPath, false, "", ""));
        }
        List<Container> containers = new ArrayList<>();
        containers.add(new Container("app", whole, List.of(), Map.of(), Map.of()));
        if (!subPath.isEmpty()) {
            containers.add(new Container("side", parts, List.of(), Map.of(), Map.of()));
        }
        return running(name, volumes, containers, new Pod.SecurityContext(fsGroup, changePolicy, List.of(), null));
    }

    /** The pod gets a user namespace of its own. */
    static void withOwnUsers(InMemoryCluster cluster, String name) {
        Pod pod = (Pod) cluster.get(ObjectKey.pod("default", name)).orElseThrow();
        cluster.apply(new Pod(
                pod.metadata(), pod.spec().toBuilder().hostUsers(false).build(), pod.status(), pod.unmodeled()));
    }

    private static Pod running(
            String name, List<PodVolume> volumes, List<Container> containers, Pod.SecurityContext context) {
        return new Pod(
                ObjectMeta.named("default", name).withUid(name),
                new Pod.Spec(NodeHarness.NODE, volumes, List.of(), containers, context, ""),
                new Pod.Status(PodPhase.RUNNING, List.of(new Pod.ContainerStatus("app", true))),
                Unmodeled.none());
    }
}
