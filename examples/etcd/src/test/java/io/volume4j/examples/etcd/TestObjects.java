package io.volume4j.examples.etcd;

import io.volume4j.core.codec.Manifests;
import io.volume4j.spi.model.ApiObject;
import java.util.List;
import java.util.Map;

/** Objects as a user writes them. */
final class TestObjects {
    private TestObjects() {}

    static ApiObject claim(String name) {
        return claim(name, 0);
    }

    /** @param size so many bytes more */
    static ApiObject claim(String name, int size) {
        // from a tree, because a file of manifests may not be that large
        return Manifests.fromTree(Map.of(
                "apiVersion",
                "v1",
                "kind",
                "PersistentVolumeClaim",
                "metadata",
                Map.of("name", name, "namespace", "default", "annotations", Map.of("a", "x".repeat(size))),
                "spec",
                Map.of(
                        "accessModes",
                        List.of("ReadWriteOnce"),
                        "resources",
                        Map.of("requests", Map.of("storage", "1Gi")))));
    }

    static ApiObject node(String name) {
        return Manifests.read("test", """
                apiVersion: v1
                kind: Node
                metadata: {name: %s}
                """.formatted(name)).get(0);
    }
}
