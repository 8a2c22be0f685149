package io.volume4j.core.codec;

import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.spi.model.ApiObject;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What is taken over from an earlier reading is what a new reading finds, and what that refuses is refused. */
class ChangedTreeTest {
    private static final String VOLUME = """
            apiVersion: v1
            kind: PersistentVolume
            metadata: {name: v, uid: u-1, resourceVersion: "1", annotations: {a: b}}
            spec:
              capacity: {storage: 1Gi}
              accessModes: [ReadWriteOnce]
              storageClassName: gold
              mountOptions: [ro]
              claimRef: {namespace: ns, name: c, uid: u-2}
              csi: {driver: d.example.com, volumeHandle: h}
            status: {phase: Available}
            """;

    private static final String CLAIM = """
            apiVersion: v1
            kind: PersistentVolumeClaim
            metadata: {namespace: ns, name: c, uid: u-2, resourceVersion: "1"}
            spec:
              accessModes: [ReadWriteOnce]
              resources: {requests: {storage: 1Gi}}
              storageClassName: gold
              volumeName: v
              selector: {matchLabels: {k: x}}
            status: {phase: Pending}
            """;

    static Stream<Arguments> changes() {
        Map<String, Object> reference = Map.of("namespace", "ns", "name", "other", "uid", "u-3");
        return Stream.of(
                Arguments.of(VOLUME, "spec", "claimRef", reference),
                Arguments.of(VOLUME, "spec", "claimRef", null),
                Arguments.of(VOLUME, "spec", "claimRef", Map.of("namespace", "ns")),
                Arguments.of(VOLUME, "spec", "claimRef", "c"),
                Arguments.of(VOLUME, "spec", "capacity", Map.of("storage", "2Gi")),
                Arguments.of(VOLUME, "spec", "capacity", null),
                Arguments.of(VOLUME, "spec", "accessModes", List.of("ReadOnlyMany", "ReadWriteMany")),
                Arguments.of(VOLUME, "spec", "csi", Map.of("driver", "d.example.com")),
                Arguments.of(VOLUME, "spec", "csi", null),
                Arguments.of(VOLUME, "spec", "nfs", Map.of("server", "s", "path", "/p")),
                Arguments.of(VOLUME, "spec", "volumeMode", "Block"),
                Arguments.of(VOLUME, "spec", "new", 1L),
                Arguments.of(VOLUME, "status", "phase", "Bound"),
                Arguments.of(VOLUME, "metadata", "resourceVersion", "2"),
                Arguments.of(VOLUME, "metadata", "generation", 3),
                Arguments.of(VOLUME, "metadata", "generation", 4L),
                Arguments.of(CLAIM, "spec", "volumeName", "w"),
                Arguments.of(CLAIM, "spec", "volumeName", null),
                Arguments.of(CLAIM, "spec", "volumeName", "No Name"),
                Arguments.of(CLAIM, "spec", "volumeName", 7),
                Arguments.of(CLAIM, "spec", "storageClassName", null),
                Arguments.of(CLAIM, "spec", "storageClassName", ""),
                Arguments.of(CLAIM, "spec", "selector", null),
                Arguments.of(CLAIM, "spec", "resources", Map.of("requests", Map.of("storage", "3Gi"))),
                Arguments.of(CLAIM, "status", "capacity", Map.of("storage", "1Gi")));
    }

    @ParameterizedTest
    @MethodSource("changes")
    void readsWhatChangedAsIfAllWereNew(String manifest, String part, String field, @Nullable Object value) {
        ApiObject earlier = Manifests.read("test", manifest).get(0);
        Map<String, @Nullable Object> tree =
                new LinkedHashMap<>(earlier.unmodeled().document());
        Map<String, @Nullable Object> changed = new LinkedHashMap<>();
        ((Map<?, ?>) Objects.requireNonNull(tree.get(part))).forEach((key, old) -> changed.put((String) key, old));
        if (value == null) {
            changed.remove(field);
        } else {
            changed.put(field, value);
        }
        tree.put(part, changed);

        assertThat(read(tree, earlier)).isEqualTo(read(tree, null));
    }

    private static Object read(Map<String, @Nullable Object> tree, @Nullable ApiObject earlier) {
        try {
            return earlier == null ? Manifests.fromTree(tree) : Manifests.fromTree(tree, earlier);
        } catch (ManifestException refused) {
            return String.valueOf(refused.getMessage());
        }
    }
}
