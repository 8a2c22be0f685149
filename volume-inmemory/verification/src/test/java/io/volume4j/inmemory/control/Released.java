package io.volume4j.inmemory.control;

import static io.volume4j.inmemory.control.GivenVolume.volume;

import io.volume4j.core.codec.Manifests;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.CsiSource;
import io.volume4j.spi.model.ReclaimPolicy;
import io.volume4j.spi.model.VolumePhase;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A volume whose claim is gone, what else may stand against taking its storage, and what was done to that. */
final class Released {
    static final Consumer<ControlBench> STORAGE = bench -> bench.storage.add("v", 1 << 30);

    private Released() {}

    /** As people make one to hand a volume over to another claim. */
    static GivenVolume inTheStorageOfV() {
        return volume("w")
                .source(CsiSource.of("mem", "v", "", Map.of()))
                .policy(ReclaimPolicy.RETAIN)
                .boundTo("d", "uid-d")
                .phase(VolumePhase.BOUND);
    }

    static GivenVolume released(ReclaimPolicy policy) {
        return volume("v").policy(policy).phase(VolumePhase.RELEASED).boundTo("c", "uid-c");
    }

    static List<String> calls(ControlBench bench) {
        return bench.storage.calls().stream().map(call -> call.text()).toList();
    }

    static ApiObject attachment(String name, String volume, String node) {
        Map<String, @Nullable Object> spec =
                Map.of("attacher", "mem", "nodeName", node, "source", Map.of("persistentVolumeName", volume));
        return Manifests.fromTree(Map.of(
                "apiVersion",
                "storage.k8s.io/v1",
                "kind",
                "VolumeAttachment",
                "metadata",
                Map.of("name", name),
                "spec",
                spec,
                "status",
                Map.of("attached", true)));
    }
}
