package io.volume4j.inmemory.schema;

import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.spi.model.Kind;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.yaml.snakeyaml.Yaml;

class ObjectSchemaTest {
    private final ObjectSchema schema = ObjectSchema.kubernetes();

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "PERSISTENT_VOLUME_CLAIM | {spec: {storageClass: a}} | spec.storageClass: a PersistentVolumeClaimSpec has no such field",
                "PERSISTENT_VOLUME_CLAIM | {spec: {accessModes: ReadWriteOnce}} | spec.accessModes: is a list, not \"ReadWriteOnce\"",
                "PERSISTENT_VOLUME_CLAIM | {spec: {resources: {requests: {storage: 1 GiB}}}} | spec.resources.requests[storage]: is of type quantity, not \"1 GiB\"",
                "PERSISTENT_VOLUME_CLAIM | {metadata: {annotations: {a: true}}} | metadata.annotations[a]: is of type string, not true",
                "PERSISTENT_VOLUME | {spec: {csi: {driver: d}}} | spec.csi.volumeHandle: is required",
                "VOLUME_ATTACHMENT | {spec: {attacher: a, nodeName: n}} | spec.source: is required",
                "STORAGE_CLASS | {metadata: {name: s}} | provisioner: is required",
                "STORAGE_CLASS | {provisioner: p, allowVolumeExpansion: 'true'} | allowVolumeExpansion: is of type bool, not \"true\"",
                "STORAGE_CLASS | {provisioner: p, parameters: [a]} | parameters: is a map, not a list",
                "NODE | {status: {volumesAttached: [{name: v}]}} | status.volumesAttached[0].devicePath: is required",
                "LEASE | {spec: {renewTime: '2026-01-01T00:00:00Z'}} | spec.renewTime: is of type microtime, not \"2026-01-01T00:00:00Z\"",
                "LEASE | {spec: {leaseTransitions: 1.5}} | spec.leaseTransitions: is of type int, not 1.5",
                "POD | {spec: {containers: [{image: i}]}} | spec.containers[0].name: is required",
                "VOLUME_SNAPSHOT_CONTENT | {spec: {deletionPolicy: Delete, driver: d, source: {}, volumeSnapshotRef: {}}, status: {restoreSize: 1Gi}} | status.restoreSize: is of type int, not \"1Gi\"",
            })
    void namesWhatAServerWouldRefuse(Kind kind, String object, String problem) {
        assertThat(problems(kind, object)).containsExactly(problem);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "PERSISTENT_VOLUME_CLAIM | {metadata: {name: c}, spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}}",
                "PERSISTENT_VOLUME | {spec: {capacity: {storage: 1e9}, nfs: {server: s, path: /, readOnly: false}}}",
                "LEASE | {spec: {renewTime: '2026-01-01T00:00:00.000000Z', leaseTransitions: 1}}",
                "POD | {spec: {containers: [{name: a, ports: [{containerPort: 1}], livenessProbe: {httpGet: {port: http}}}]}}",
            })
    void hasNothingToSayOfWhatAServerTakes(Kind kind, String object) {
        assertThat(problems(kind, object)).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void knowsEveryKindAndEveryTypeBelowIt(Kind kind) {
        assertThat(schema.fieldsOf(kind.apiName())).containsKeys("apiVersion", "kind", "metadata");
        visit(kind.apiName(), new HashSet<>());
    }

    @Test
    void doesNotRepeatLongValues() {
        String problem = problems(Kind.NODE, "{spec: {unschedulable: " + "x".repeat(500) + "}}")
                .get(0);
        assertThat(problem).hasSizeLessThan(120);
    }

    /** A patch shares with the stored object all that it does not change. */
    @Test
    void looksAtNothingThatTheObjectHeldBefore() {
        Map<String, Object> spec = new Yaml().load("{unschedulable: 7, taints: [{key: 1}]}");
        Map<String, Object> stored = Map.of("metadata", Map.of("nameless", 1), "spec", spec);
        Map<String, Object> changedSpec = new LinkedHashMap<>(spec);
        changedSpec.put("podCIDR", 5);
        Map<String, Object> changed = new LinkedHashMap<>(stored);
        changed.put("spec", changedSpec);

        assertThat(schema.problems(Kind.NODE, changed, stored))
                .containsExactly("spec.podCIDR: is of type string, not 5");
        assertThat(schema.problems(Kind.NODE, changed)).hasSize(5);
    }

    private void visit(String type, Set<String> seen) {
        Map<String, FieldType> fields = schema.fieldsOf(type);
        if (fields != null && seen.add(type)) {
            fields.values().forEach(field -> visit(field.name(), seen));
        }
    }

    private List<String> problems(Kind kind, String object) {
        return schema.problems(kind, new Yaml().<Map<String, Object>>load(object));
    }
}
