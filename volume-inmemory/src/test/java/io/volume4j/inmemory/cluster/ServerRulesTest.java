package io.volume4j.inmemory.cluster;

import static io.volume4j.inmemory.cluster.Objects.claim;
import static io.volume4j.inmemory.cluster.Objects.object;
import static io.volume4j.spi.host.Patch.FieldChange.remove;
import static io.volume4j.spi.host.Patch.FieldChange.set;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.volume4j.core.codec.Manifests;
import io.volume4j.spi.host.ClusterException;
import io.volume4j.spi.host.ClusterException.Reason;
import io.volume4j.spi.host.Patch;
import io.volume4j.spi.host.Patch.FieldChange;
import io.volume4j.spi.host.Preconditions;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.Node;
import io.volume4j.spi.model.ObjectKey;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What Kubernetes' API server does and refuses beyond its schemas. */
class ServerRulesTest {
    private static final ObjectKey C = ObjectKey.claim("default", "c");

    private final InMemoryCluster cluster = InMemoryCluster.create();

    @Test
    void creatingTakesNoUidFromTheCaller() {
        ApiObject created = cluster.create(
                object("PersistentVolumeClaim", Map.of("namespace", "default", "name", "c", "uid", "mine"), Map.of()));

        assertThat(created.metadata().uid()).isEqualTo("00000000-0000-0000-0000-000000000001");
    }

    @Test
    void aNodeRegistersWithItsStatus() {
        Map<String, Object> status = Map.of("volumesInUse", List.of("kubernetes.io/csi/d^h"));

        ApiObject created = cluster.create(object("Node", Map.of("name", "n1"), Map.of(), Map.of("status", status)));

        assertThat(((Node) created).status().volumesInUse()).containsExactly("kubernetes.io/csi/d^h");
        assertThat(refusal(() -> cluster.patch(created.key(), patch(remove("status", "volumesInUse")))))
                .isEqualTo(Reason.INVALID);
    }

    @ParameterizedTest
    @CsvSource({
        "labels, example.com/driver, kubernetes.io/nfs, false",
        "labels, example.com/driver, nfs.csi.k8s.io, true",
        "labels, example.com/driver, '', true",
        "labels, a/b/c, x, false",
        "labels, Example.com/a, x, false",
        "annotations, example.com/driver, 'kubernetes.io/nfs, and more', true",
        "annotations, a b, x, false",
    })
    void labelsAndAnnotationsHaveTheSyntaxOfKubernetes(String field, String key, String value, boolean allowed) {
        Map<String, Object> metadata = Map.of("namespace", "default", "name", "new", field, Map.of(key, value));
        ApiObject created = object("PersistentVolumeClaim", metadata, Map.of());
        cluster.create(claim("c"));
        List<Patch> patches =
                List.of(patch(set(value, "metadata", field, key)), patch(set(Map.of(key, value), "metadata", field)));

        if (allowed) {
            cluster.create(created);
            patches.forEach(each -> assertThat(cluster.patch(C, each)).isNotNull());
        } else {
            assertThat(refusal(() -> cluster.create(created))).isEqualTo(Reason.INVALID);
            patches.forEach(
                    each -> assertThat(refusal(() -> cluster.patch(C, each))).isEqualTo(Reason.INVALID));
            assertThat(cluster.patch(C, patch(remove("metadata", field, key)))).isNotNull();
        }
    }

    @Test
    void allAnnotationsOfAnObjectHaveALimitTogether() {
        cluster.create(claim("c"));
        cluster.patch(C, patch(set("x".repeat(200_000), "metadata", "annotations", "a")));

        assertThatThrownBy(() -> cluster.patch(C, patch(set("x".repeat(70_000), "metadata", "annotations", "b"))))
                .hasMessageContaining("metadata.annotations: may not have more than 262144 bytes");
    }

    @ParameterizedTest(name = "{0}: {1}")
    @CsvSource(
            delimiter = ';',
            value = {
                // the object; the change; the refused field, none if the change is allowed
                "PersistentVolume v; spec.csi.volumeHandle=h2; spec.csi",
                "PersistentVolume v; spec.volumeMode=Block; spec.volumeMode",
                "PersistentVolume v; spec.volumeMode=Filesystem;",
                "PersistentVolume v; spec.capacity.storage=2Gi;",
                "PersistentVolume v; spec.claimRef.name=c;",
                "PersistentVolume v; spec.storageClassName=other;",
                "PersistentVolumeClaim bound; spec.volumeName=v2; spec.volumeName",
                "PersistentVolumeClaim bound; spec.volumeMode=Block; spec.volumeMode",
                "PersistentVolumeClaim bound; spec.storageClassName=other; spec.storageClassName",
                "PersistentVolumeClaim bound; spec.resources.requests.storage=9Gi;",
                "PersistentVolumeClaim bound; spec.volumeAttributesClassName=gold;",
                "PersistentVolumeClaim waits; spec.storageClassName=fast;",
                "PersistentVolumeClaim waits; spec.volumeName=v;",
                "PersistentVolumeClaim waits; spec.selector.matchLabels.a=b; spec.selector",
                "VolumeAttachment va; spec.nodeName=n2; spec.nodeName",
                "StorageClass sc; provisioner=other; provisioner",
                "StorageClass sc; volumeBindingMode=WaitForFirstConsumer; volumeBindingMode",
                "StorageClass sc; volumeBindingMode=Immediate;",
                "StorageClass sc; metadata.labels.a=b;",
                "CSIDriver d; spec.volumeLifecycleModes=Ephemeral; spec.volumeLifecycleModes",
                "CSIDriver d; spec.fsGroupPolicy=File;",
            })
    void fieldsThatAreFixedAtCreationStayAsTheyAre(String name, String change, @Nullable String refused) {
        given();
        ObjectKey key = cluster.snapshot().keySet().stream()
                .filter(each -> name.equals(each.kind().apiName() + " " + each.name()))
                .findFirst()
                .orElseThrow();
        String[] sides = change.split("=", -1);
        Object value = sides[0].endsWith("Modes") ? List.of(sides[1]) : sides[1];
        Patch patch = patch(new FieldChange(List.of(sides[0].split("\\.", -1)), value));
        String before = cluster.revision();

        if (refused == null) {
            assertThat(cluster.patch(key, patch)).isNotNull();
        } else {
            assertThatThrownBy(() -> cluster.patch(key, patch)).hasMessageContaining(": " + refused + ": ");
            assertThat(refusal(() -> cluster.patch(key, patch))).isEqualTo(Reason.INVALID);
            assertThat(cluster.revision()).isEqualTo(before);
        }
    }

    @Test
    void aSecretForExpansionMayBeAddedToAVolume() {
        given();
        Map<String, Object> secret = Map.of("namespace", "default", "name", "s");
        ObjectKey volume = ObjectKey.volume("v");

        cluster.patch(volume, patch(set(secret, "spec", "csi", "controllerExpandSecretRef")));

        assertThat(refusal(() -> cluster.patch(volume, patch(remove("spec", "csi", "controllerExpandSecretRef")))))
                .isEqualTo(Reason.INVALID);
    }

    private void given() {
        Manifests.read("test", """
                {apiVersion: v1, kind: PersistentVolume, metadata: {name: v}, spec: {capacity: {storage: 1Gi},
                  accessModes: [ReadWriteOnce], csi: {driver: d, volumeHandle: h}}}
                ---
                {apiVersion: v1, kind: PersistentVolumeClaim, metadata: {name: bound, namespace: default},
                  spec: {accessModes: [ReadWriteOnce], storageClassName: fast, volumeName: v,
                    resources: {requests: {storage: 5Gi}}}, status: {phase: Bound, capacity: {storage: 2Gi}}}
                ---
                {apiVersion: v1, kind: PersistentVolumeClaim, metadata: {name: waits, namespace: default},
                  spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}}
                ---
                {apiVersion: storage.k8s.io/v1, kind: VolumeAttachment, metadata: {name: va},
                  spec: {attacher: d, nodeName: n1, source: {persistentVolumeName: v}}}
                ---
                {apiVersion: storage.k8s.io/v1, kind: StorageClass, metadata: {name: sc}, provisioner: d}
                ---
                {apiVersion: storage.k8s.io/v1, kind: CSIDriver, metadata: {name: d}, spec: {}}
                """).forEach(cluster::apply);
    }

    private static Patch patch(FieldChange... changes) {
        return new Patch(Preconditions.none(), false, List.of(changes));
    }

    private static Reason refusal(ThrowingCallable call) {
        return catchThrowableOfType(ClusterException.class, call).reason();
    }
}
