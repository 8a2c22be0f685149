package io.volume4j.examples.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.MAP;

import io.volume4j.core.codec.Manifests;
import io.volume4j.spi.host.ClusterException;
import io.volume4j.spi.host.Patch;
import io.volume4j.spi.host.Patch.FieldChange;
import io.volume4j.spi.host.Preconditions;
import io.volume4j.spi.model.ApiObject;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The rules of an API server that the store follows. */
class StoredObjectsTest {
    private static final Instant NOW = Instant.parse("2026-01-31T12:00:00.5Z");
    private static final String CLAIM = """
            apiVersion: v1
            kind: PersistentVolumeClaim
            metadata: {name: c, namespace: default}
            spec:
              accessModes: [ReadWriteOnce]
              unknownField: kept
              resources: {requests: {storage: 1Gi}}
            status: {phase: Bound}
            """;

    private final Map<String, Object> stored = StoredObjects.created(object(CLAIM), "uid-1", NOW);

    @Test
    void aNewObjectGetsUidGenerationAndTimeAndNoStatusOfTheCallers() {
        assertThat(stored.get("metadata"))
                .isEqualTo(Map.of(
                        "name", "c",
                        "namespace", "default",
                        "uid", "uid-1",
                        "generation", 1,
                        "creationTimestamp", "2026-01-31T12:00:00Z"));
        assertThat(stored.get("status")).isEqualTo(Map.of("phase", "Pending"));
    }

    @Test
    void theGenerationCountsChangesOfTheSpecAlone() {
        Map<String, Object> labelled = patched(false, FieldChange.set("x", "metadata", "labels", "a"));
        Map<String, Object> status = patched(true, FieldChange.set("Bound", "status", "phase"));
        Map<String, Object> spec = patched(false, FieldChange.set("v", "spec", "volumeName"));

        assertThat(List.of(generation(labelled), generation(status), generation(spec)))
                .containsExactly(1L, 1L, 2L);
        assertThat(spec.get("spec")).asInstanceOf(MAP).containsEntry("unknownField", "kept");
    }

    @Test
    void aPatchThatChangesNothingLeavesTheVeryTree() {
        assertThat(patched(
                        false,
                        FieldChange.set("c", "metadata", "labels", "a"),
                        FieldChange.remove("metadata", "labels")))
                .isSameAs(stored);
        assertThat(patched(false, FieldChange.remove("spec", "selector", "matchLabels")))
                .isSameAs(stored);
    }

    @ParameterizedTest
    @CsvSource({
        "metadata.uid, false",
        "metadata.resourceVersion, false",
        "metadata.deletionTimestamp, false",
        "metadata, false",
        "kind, false",
        "apiVersion, false",
        "status.phase, false",
        "spec.volumeName, true",
        "spec.volumeName.x.y, false",
    })
    void refusesWhatIsNotTheCallersToChange(String path, boolean status) {
        Map<String, Object> bound = StoredObjects.patched(
                stored, new Patch(Preconditions.none(), false, List.of(FieldChange.set("v", "spec", "volumeName"))));
        Patch patch = new Patch(
                Preconditions.none(), status, List.of(new FieldChange(List.of(path.split("\\.")), "changed")));

        assertThatThrownBy(() -> StoredObjects.patched(bound, patch))
                .isInstanceOfSatisfying(
                        ClusterException.class,
                        refused -> assertThat(refused.reason()).isEqualTo(ClusterException.Reason.INVALID));
    }

    @Test
    void deletionMarksOnceAndGoesWithoutFinalizers() {
        Map<String, Object> held = patched(false, FieldChange.set(List.of("example.com/a"), "metadata", "finalizers"));
        Map<String, Object> marked = StoredObjects.marked(held, NOW);

        assertThat(StoredObjects.deleting(held)).isFalse();
        assertThat(StoredObjects.deleting(marked)).isTrue();
        assertThat(StoredObjects.hasFinalizers(marked)).isTrue();
        assertThat(StoredObjects.marked(marked, NOW.plusSeconds(9))).isEqualTo(marked);
        assertThat(StoredObjects.hasFinalizers(stored)).isFalse();
    }

    private Map<String, Object> patched(boolean status, FieldChange... changes) {
        return StoredObjects.patched(stored, new Patch(Preconditions.none(), status, List.of(changes)));
    }

    private static long generation(Map<String, Object> tree) {
        Map<?, ?> metadata = (Map<?, ?>) Objects.requireNonNull(tree.get("metadata"));
        return ((Number) Objects.requireNonNull(metadata.get("generation"))).longValue();
    }

    private static ApiObject object(String yaml) {
        return Manifests.read("test", yaml).get(0);
    }
}
