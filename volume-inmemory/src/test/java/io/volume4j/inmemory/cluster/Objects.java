package io.volume4j.inmemory.cluster;

import io.volume4j.core.codec.Manifests;
import io.volume4j.spi.model.ApiObject;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Objects as manifests would describe them. */
final class Objects {
    private Objects() {}

    static ApiObject claim(String name) {
        return object(
                "PersistentVolumeClaim",
                Map.of("namespace", "default", "name", name),
                Map.of("accessModes", List.of("ReadWriteOnce")));
    }

    static ApiObject volume(String name) {
        return object(
                "PersistentVolume",
                Map.of("name", name),
                Map.of("capacity", Map.of("storage", "1Gi"), "accessModes", List.of("ReadWriteOnce")));
    }

    static ApiObject pod(String name, String node) {
        return object("Pod", Map.of("namespace", "default", "name", name), Map.of("nodeName", node));
    }

    static ApiObject object(String kind, Map<String, Object> metadata, Map<String, Object> spec) {
        return object(kind, metadata, spec, Map.of());
    }

    static ApiObject object(
            String kind, Map<String, Object> metadata, Map<String, Object> spec, Map<String, Object> more) {
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        tree.put("kind", kind);
        tree.put("metadata", metadata);
        tree.put("spec", spec);
        tree.putAll(more);
        return Manifests.fromTree(tree);
    }
}
