package io.volume4j.core.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.ClaimPhase;
import io.volume4j.spi.model.Node;
import io.volume4j.spi.model.NodeSelector;
import io.volume4j.spi.model.ObjectMeta;
import io.volume4j.spi.model.ObjectReference;
import io.volume4j.spi.model.OtherSource;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.PersistentVolumeClaim;
import io.volume4j.spi.model.Pod;
import io.volume4j.spi.model.PodVolume;
import io.volume4j.spi.model.Quantity;
import io.volume4j.spi.model.ReclaimPolicy;
import io.volume4j.spi.model.SelectorRequirement;
import io.volume4j.spi.model.Unmodeled;
import io.volume4j.spi.model.VolumeMode;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What a change of an object does to the document that it was read from, and what it leaves alone. */
class TreeRoundTripTest {
    @Test
    void writesAnObjectMadeInCodeWithAllThatItSays() {
        PersistentVolumeClaim claim = new PersistentVolumeClaim(
                ObjectMeta.named("shop", "data"),
                new PersistentVolumeClaim.Spec(
                        List.of(), Quantity.parse("64Mi"), "", VolumeMode.FILESYSTEM, "", null, null, null, ""),
                new PersistentVolumeClaim.Status(ClaimPhase.NONE, List.of(), null, Map.of(), Map.of(), ""),
                Unmodeled.none());

        Map<String, @Nullable Object> tree = Manifests.toTree(claim);

        assertThat(tree)
                .isEqualTo(Map.of(
                        "apiVersion",
                        "v1",
                        "kind",
                        "PersistentVolumeClaim",
                        "metadata",
                        Map.of("name", "data", "namespace", "shop"),
                        "spec",
                        Map.of(
                                "resources", Map.of("requests", Map.of("storage", "64Mi")),
                                "storageClassName", "",
                                "volumeMode", "Filesystem")));
        assertThat(Manifests.toTree(Manifests.fromTree(tree))).isEqualTo(tree);
    }

    @Test
    void changesOnlyWhatTheObjectChanged() {
        PersistentVolume read = volume(Map.of(
                "persistentVolumeReclaimPolicy", "Whatever",
                "capacity", Map.of("storage", 1024, "iops", "500"),
                "futureField", Map.of("a", 1),
                "nfs", Map.of("server", "s", "path", "/p", "tuning", "fast")));
        assertThat(read.spec().reclaimPolicy()).isEqualTo(ReclaimPolicy.UNKNOWN);

        PersistentVolume bound =
                withClaim(read, new ObjectReference("v1", "PersistentVolumeClaim", "shop", "data", "u-1", ""));

        Map<String, @Nullable Object> spec = spec(Manifests.toTree(bound));
        assertThat(spec)
                .containsEntry("persistentVolumeReclaimPolicy", "Whatever")
                .containsEntry("capacity", Map.of("storage", 1024, "iops", "500"))
                .containsEntry("futureField", Map.of("a", 1))
                .containsEntry("nfs", Map.of("server", "s", "path", "/p", "tuning", "fast"))
                .containsEntry(
                        "claimRef",
                        Map.of(
                                "apiVersion", "v1",
                                "kind", "PersistentVolumeClaim",
                                "namespace", "shop",
                                "name", "data",
                                "uid", "u-1"));
    }

    @Test
    void removesAReferenceAsAWholeWithUnmodeledFields() {
        PersistentVolume reserved = volume(Map.of(
                "claimRef", Map.of("namespace", "shop", "name", "data", "fieldPath", "spec"),
                "nfs", Map.of("server", "s", "path", "/p")));

        assertThat(spec(Manifests.toTree(withClaim(reserved, null)))).doesNotContainKey("claimRef");
    }

    @Test
    void keepsUnmodeledFieldsOfAPartWhoseModeledOnesAreGone() {
        Map<String, @Nullable Object> document = document(
                "PersistentVolumeClaim",
                Map.of("resources", Map.of("requests", Map.of("storage", "1Gi"), "limits", Map.of("storage", "2Gi"))));
        PersistentVolumeClaim read = (PersistentVolumeClaim) Manifests.fromTree(document);
        PersistentVolumeClaim.Spec spec = read.spec();

        PersistentVolumeClaim changed = new PersistentVolumeClaim(
                read.metadata(),
                new PersistentVolumeClaim.Spec(
                        spec.accessModes(), null, spec.storageClassName(), spec.volumeMode(), "", null, null, null, ""),
                read.status(),
                read.unmodeled());

        assertThat(spec(Manifests.toTree(changed)))
                .containsEntry("resources", Map.of("limits", Map.of("storage", "2Gi")));
    }

    @Test
    void tellsReadinessByOneConditionAndLeavesTheOthersInTheirPlaces() {
        Map<String, @Nullable Object> pressure = Map.of("type", "MemoryPressure", "status", "False");
        Map<String, @Nullable Object> disk = Map.of("type", "DiskPressure", "status", "False");
        Map<String, @Nullable Object> document = Map.of(
                "kind", "Node",
                "metadata", Map.of("name", "n1"),
                "status",
                        Map.of(
                                "conditions",
                                List.of(
                                        pressure,
                                        Map.of("type", "Ready", "status", "Unknown", "reason", "Lost"),
                                        disk)));
        Node node = (Node) Manifests.fromTree(document);
        assertThat(node.status().ready()).isFalse();

        Node ready = new Node(
                node.metadata(), node.spec(), new Node.Status(true, List.of(), List.of(), Map.of()), node.unmodeled());

        assertThat(conditions(Manifests.toTree(node))).isEqualTo(conditions(document));
        assertThat(conditions(Manifests.toTree(ready)))
                .isEqualTo(List.of(pressure, Map.of("type", "Ready", "status", "True", "reason", "Lost"), disk));
    }

    @Test
    void addsAConditionBesideOthersThatAreAsMany() {
        Node node = (Node) Manifests.fromTree(Map.of(
                "kind", "Node",
                "metadata", Map.of("name", "n1"),
                "status", Map.of("conditions", List.of(Map.of("type", "DiskPressure", "status", "False")))));

        Node ready = new Node(
                node.metadata(), node.spec(), new Node.Status(true, List.of(), List.of(), Map.of()), node.unmodeled());

        assertThat(conditions(Manifests.toTree(ready)))
                .isEqualTo(List.of(
                        Map.of("type", "DiskPressure", "status", "False"), Map.of("type", "Ready", "status", "True")));
    }

    @Test
    void matchesListElementsByNameSoThatARemovalMixesNothing() {
        Pod pod = (Pod) Manifests.fromTree(document(
                "Pod",
                Map.of(
                        "volumes",
                        List.of(
                                Map.of("name", "a", "emptyDir", Map.of("note", "of a")),
                                Map.of("name", "b", "configMap", Map.of("name", "x", "defaultMode", 256))))));
        List<PodVolume> volumes = pod.spec().volumes();
        assertThat(volumes.get(1).source()).isInstanceOf(OtherSource.class);

        Pod changed = new Pod(
                pod.metadata(),
                new Pod.Spec(
                        "n1",
                        volumes.subList(1, 2),
                        List.of(),
                        List.of(),
                        pod.spec().securityContext(),
                        ""),
                pod.status(),
                pod.unmodeled());

        assertThat(spec(Manifests.toTree(changed)))
                .isEqualTo(Map.of(
                        "nodeName",
                        "n1",
                        "volumes",
                        List.of(Map.of("name", "b", "configMap", Map.of("name", "x", "defaultMode", 256)))));
    }

    @Test
    void matchesElementsWithoutIdentityByEqualityAndThenByPlace() {
        Map<String, ?> a = Map.of("matchExpressions", List.of(in("zone", "a")), "note", "of a");
        Map<String, ?> b = Map.of("matchExpressions", List.of(in("zone", "b")), "note", "of b");
        PersistentVolume read = volume(Map.of(
                "nfs",
                Map.of("server", "s", "path", "/p"),
                "nodeAffinity",
                Map.of("required", Map.of("nodeSelectorTerms", List.of(a, b)))));
        NodeSelector.Term first = selector(read).terms().get(0);
        NodeSelector.Term second = selector(read).terms().get(1);
        NodeSelector.Term other =
                new NodeSelector.Term(List.of(new SelectorRequirement("zone", "In", List.of("c"))), List.of());

        assertThat(termsOf(withAffinity(read, List.of(second)))).isEqualTo(List.of(b));
        assertThat(termsOf(withAffinity(read, List.of(second, first)))).isEqualTo(List.of(b, a));
        assertThat(termsOf(withAffinity(read, List.of(first, other))))
                .isEqualTo(List.of(a, Map.of("matchExpressions", List.of(in("zone", "c")), "note", "of b")));
        assertThat(termsOf(withAffinity(read, List.of(other))))
                .isEqualTo(List.of(Map.of("matchExpressions", List.of(in("zone", "c")))));
    }

    @Test
    void refusesToWriteOverTheDocumentOfAnotherKind() {
        ApiObject pod = Manifests.fromTree(document("Pod", Map.of()));
        PersistentVolume volume = volume(Map.of("nfs", Map.of("server", "s", "path", "/p")));

        assertThatThrownBy(() -> Manifests.toTree(
                        new PersistentVolume(volume.metadata(), volume.spec(), volume.status(), pod.unmodeled())))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("a PersistentVolume carries the document of a Pod");
    }

    private static NodeSelector selector(PersistentVolume volume) {
        return Objects.requireNonNull(volume.spec().nodeAffinity());
    }

    private static Map<String, ?> in(String key, String value) {
        return Map.of("key", key, "operator", "In", "values", List.of(value));
    }

    private static @Nullable Object termsOf(PersistentVolume volume) {
        Map<?, ?> affinity = (Map<?, ?>)
                Objects.requireNonNull(spec(Manifests.toTree(volume)).get("nodeAffinity"));
        return ((Map<?, ?>) Objects.requireNonNull(affinity.get("required"))).get("nodeSelectorTerms");
    }

    private static PersistentVolume withAffinity(PersistentVolume volume, List<NodeSelector.Term> terms) {
        PersistentVolume.Spec spec = volume.spec();
        return new PersistentVolume(
                volume.metadata(),
                new PersistentVolume.Spec(
                        spec.capacity(),
                        spec.accessModes(),
                        spec.reclaimPolicy(),
                        spec.storageClassName(),
                        spec.volumeMode(),
                        spec.claimRef(),
                        spec.mountOptions(),
                        new NodeSelector(terms),
                        spec.volumeAttributesClassName(),
                        spec.source()),
                volume.status(),
                volume.unmodeled());
    }

    @Test
    void givesATreeThatItsHolderMayChange() {
        Map<String, @Nullable Object> document =
                document("PersistentVolumeClaim", Map.of("volumeName", "v", "selector", Map.of()));
        ApiObject object = Manifests.fromTree(document);

        Map<String, @Nullable Object> tree = Manifests.toTree(object);
        tree.put("status", Map.of("phase", "Bound"));

        assertThat(Manifests.toTree(object)).isEqualTo(document);
        assertThat(((PersistentVolumeClaim) Manifests.fromTree(tree)).status().phase())
                .isEqualTo(ClaimPhase.BOUND);
    }

    private static Map<String, @Nullable Object> document(String kind, Map<String, ?> spec) {
        return Map.of("apiVersion", "v1", "kind", kind, "metadata", Map.of("name", "x"), "spec", spec);
    }

    private static PersistentVolume volume(Map<String, ?> spec) {
        return (PersistentVolume) Manifests.fromTree(document("PersistentVolume", spec));
    }

    private static PersistentVolume withClaim(PersistentVolume volume, @Nullable ObjectReference claim) {
        PersistentVolume.Spec spec = volume.spec();
        return new PersistentVolume(
                volume.metadata(),
                new PersistentVolume.Spec(
                        spec.capacity(),
                        spec.accessModes(),
                        spec.reclaimPolicy(),
                        spec.storageClassName(),
                        spec.volumeMode(),
                        claim,
                        spec.mountOptions(),
                        spec.nodeAffinity(),
                        spec.volumeAttributesClassName(),
                        spec.source()),
                volume.status(),
                volume.unmodeled());
    }

    private static Map<String, @Nullable Object> spec(Map<?, ?> tree) {
        return Trees.copiedMap((Map<?, ?>) Objects.requireNonNull(tree.get("spec")));
    }

    private static @Nullable Object conditions(Map<?, ?> tree) {
        return ((Map<?, ?>) Objects.requireNonNull(tree.get("status"))).get("conditions");
    }
}
