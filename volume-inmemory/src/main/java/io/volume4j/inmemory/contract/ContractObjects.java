package io.volume4j.inmemory.contract;

import io.volume4j.core.codec.Manifests;
import io.volume4j.spi.model.ApiObject;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The objects of a {@link ClusterContract}, with the minimum that every API accepts. */
final class ContractObjects {
    private final String namespace;

    ContractObjects(String namespace) {
        this.namespace = namespace;
    }

    ApiObject claim(String name) {
        return object("PersistentVolumeClaim", namespace, name, """
                accessModes: [ReadWriteOnce]
                  storageClassName: contract
                  resources: {requests: {storage: 1Gi}}""");
    }

    /** A claim with fields that the library does not know. */
    ApiObject claimWithMore(String name) {
        Map<String, @Nullable Object> tree = Manifests.toTree(claim(name));
        tree.put(
                "spec",
                with(tree, "spec", "dataSource", Map.of("kind", "Other", "name", "x", "apiGroup", "g.example")));
        tree.put("metadata", with(tree, "metadata", "labels", Map.of("app", "db", "tier", "1")));
        return Manifests.fromTree(tree);
    }

    ApiObject pod(String name, String node) {
        return object("Pod", namespace, name, "nodeName: " + node + "\n  containers: [{name: c, image: c}]");
    }

    static ApiObject volume(String name) {
        return object("PersistentVolume", "", name, """
                capacity: {storage: 1Gi}
                  accessModes: [ReadWriteOnce]
                  hostPath: {path: /nowhere}""");
    }

    private static ApiObject object(String kind, String namespace, String name, String spec) {
        String place = namespace.isEmpty() ? "" : ", namespace: " + namespace;
        String manifest =
                "apiVersion: v1%nkind: %s%nmetadata: {name: %s%s}%nspec:%n  %s%n".formatted(kind, name, place, spec);
        return Manifests.read("contract", manifest).get(0);
    }

    private static Map<String, @Nullable Object> with(
            Map<String, @Nullable Object> tree, String part, String field, Object value) {
        Map<String, @Nullable Object> changed = new TreeMap<>();
        if (tree.get(part) instanceof Map<?, ?> fields) {
            fields.forEach((name, old) -> changed.put(String.valueOf(name), old));
        }
        changed.put(field, value);
        return changed;
    }
}
