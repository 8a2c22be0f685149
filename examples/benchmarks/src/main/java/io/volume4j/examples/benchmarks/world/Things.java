package io.volume4j.examples.benchmarks.world;

import io.volume4j.spi.model.Container;
import io.volume4j.spi.model.Container.VolumeMount;
import io.volume4j.spi.model.CsiSource;
import io.volume4j.spi.model.Node;
import io.volume4j.spi.model.ObjectMeta;
import io.volume4j.spi.model.Pod;
import io.volume4j.spi.model.PodVolume;
import io.volume4j.spi.model.Unmodeled;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The objects of the measured worlds. */
public final class Things {
    public static final String NODE = "node";
    public static final String NAMESPACE = "default";

    private Things() {}

    public static Node node() {
        return new Node(
                ObjectMeta.named("", NODE).withUid("uid-" + NODE),
                new Node.Spec(List.of()),
                new Node.Status(true, List.of(), List.of(), Map.of()),
                Unmodeled.none());
    }

    /** A pod with one volume of the driver. */
    public static Pod pod(String name, String driver) {
        return pod(name, driver, 1);
    }

    /** A pod on the node with this many private volumes, each used by its single container. */
    public static Pod pod(String name, String driver, int volumes) {
        List<PodVolume> wanted = new ArrayList<>(volumes);
        List<VolumeMount> mounts = new ArrayList<>(volumes);
        for (int i = 0; i < volumes; i++) {
            String volume = "v" + i;
            wanted.add(new PodVolume(volume, CsiSource.of(driver, "", "", Map.of())));
            mounts.add(new VolumeMount(volume, "/data/" + volume, "", false, "", ""));
        }
        return new Pod(
                ObjectMeta.named(NAMESPACE, name).withUid(uid(name)),
                new Pod.Spec(
                        NODE,
                        wanted,
                        List.of(),
                        List.of(new Container("main", mounts, List.of(), Map.of(), Map.of())),
                        Pod.SecurityContext.none(),
                        ""),
                null,
                Unmodeled.none());
    }

    public static String uid(String podName) {
        return "uid-" + podName;
    }
}
