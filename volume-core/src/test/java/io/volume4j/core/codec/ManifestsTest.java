package io.volume4j.core.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.volume4j.spi.model.AccessMode;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.ClaimPhase;
import io.volume4j.spi.model.ClaimSource;
import io.volume4j.spi.model.Container;
import io.volume4j.spi.model.CsiSource;
import io.volume4j.spi.model.EmptyDirSource;
import io.volume4j.spi.model.FcSource;
import io.volume4j.spi.model.FlexVolumeSource;
import io.volume4j.spi.model.HostPathSource;
import io.volume4j.spi.model.IscsiSource;
import io.volume4j.spi.model.LabelSelector;
import io.volume4j.spi.model.LocalSource;
import io.volume4j.spi.model.NfsSource;
import io.volume4j.spi.model.Node;
import io.volume4j.spi.model.NodeSelector;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.ObjectMeta;
import io.volume4j.spi.model.ObjectReference;
import io.volume4j.spi.model.OtherSource;
import io.volume4j.spi.model.OwnerReference;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.PersistentVolumeClaim;
import io.volume4j.spi.model.Pod;
import io.volume4j.spi.model.PodPhase;
import io.volume4j.spi.model.PodVolume;
import io.volume4j.spi.model.Quantity;
import io.volume4j.spi.model.ReclaimPolicy;
import io.volume4j.spi.model.SecretRef;
import io.volume4j.spi.model.SelectorRequirement;
import io.volume4j.spi.model.StorageClass;
import io.volume4j.spi.model.TypedReference;
import io.volume4j.spi.model.VolumeAttachment;
import io.volume4j.spi.model.VolumeBindingMode;
import io.volume4j.spi.model.VolumeMode;
import io.volume4j.spi.model.VolumePhase;
import io.volume4j.spi.model.VolumeSource;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What of a manifest becomes which field of a record. */
class ManifestsTest {
    @Test
    void readsTheMetadataOfEveryObject() {
        ObjectMeta meta = volume("rich").metadata();

        assertThat(meta)
                .isEqualTo(new ObjectMeta(
                        "rich",
                        "",
                        "0b6f1f3e-1f3c-4c2a-9c7e-2f1f5a1c0001",
                        "42",
                        3,
                        Map.of("disk", "ssd", "zone", "1"),
                        Map.of("pv.kubernetes.io/provisioned-by", "loop.volume4j.io", "note", "two\nlines\n"),
                        List.of("kubernetes.io/pv-protection"),
                        List.of(new OwnerReference("v1", "Node", "n1", "u-1", true)),
                        Instant.parse("2026-01-31T12:00:00Z"),
                        Instant.parse("2026-01-31T23:00:00.500Z")));
        assertThat(meta.labels().keySet()).as("in the order of the text").containsExactly("disk", "zone");
    }

    @Test
    void readsAPersistentVolume() {
        PersistentVolume volume = volume("rich");

        assertThat(volume.spec())
                .isEqualTo(new PersistentVolume.Spec(
                        Quantity.parse("64Mi"),
                        List.of(AccessMode.READ_WRITE_ONCE, AccessMode.READ_ONLY_MANY),
                        ReclaimPolicy.DELETE,
                        "fast",
                        VolumeMode.BLOCK,
                        new ObjectReference(
                                "v1",
                                "PersistentVolumeClaim",
                                "shop",
                                "data",
                                "0b6f1f3e-1f3c-4c2a-9c7e-2f1f5a1c0002",
                                "41"),
                        List.of("noatime", "discard"),
                        new NodeSelector(List.of(new NodeSelector.Term(
                                List.of(
                                        new SelectorRequirement("topology.kubernetes.io/zone", "In", List.of("a", "b")),
                                        new SelectorRequirement("cores", "Gt", List.of("4"))),
                                List.of(new SelectorRequirement("metadata.name", "In", List.of("n1")))))),
                        "gold",
                        new CsiSource(
                                "loop.volume4j.io",
                                "pvc-1",
                                true,
                                "xfs",
                                Map.of("size", "64Mi"),
                                new SecretRef("ns", "a"),
                                new SecretRef("ns", "b"),
                                new SecretRef("ns", "c"),
                                new SecretRef("ns", "d"),
                                new SecretRef("ns", "e"))));
        assertThat(volume.status())
                .isEqualTo(new PersistentVolume.Status(
                        VolumePhase.BOUND, "none", "all well: really", Instant.parse("2026-01-31T12:00:01Z")));
    }

    @Test
    void readsWhatALeanVolumeLeavesOutAsKubernetesDoes() {
        PersistentVolume volume = volume("plain");

        assertThat(volume.spec())
                .isEqualTo(new PersistentVolume.Spec(
                        Quantity.parse("1Gi"),
                        List.of(),
                        ReclaimPolicy.UNKNOWN,
                        "",
                        VolumeMode.FILESYSTEM,
                        null,
                        List.of(),
                        null,
                        "",
                        new HostPathSource("/data", "")));
        assertThat(volume.status().phase()).isEqualTo(VolumePhase.NONE);
        assertThat(volume("local").spec().source()).isEqualTo(new LocalSource("/dev/sdb", "ext4"));
        assertThat(volume("local").spec().reclaimPolicy()).isEqualTo(ReclaimPolicy.RETAIN);
        assertThat(volume("flex").spec().source())
                .isEqualTo(new FlexVolumeSource(
                        "example.com/lvm",
                        "ext4",
                        false,
                        Map.of("volumeID", "vol1", "size", "1000m", "volumegroup", "kube_vg"),
                        new SecretRef("", "s")));
        assertThat(volume("nothing").spec().source()).isEqualTo(new OtherSource("", Map.of()));
    }

    @Test
    void readsAClaim() {
        List<ApiObject> claims = read("codec/claims.yaml");
        PersistentVolumeClaim rich = (PersistentVolumeClaim) claims.get(0);

        assertThat(rich.key()).isEqualTo(ObjectKey.claim("shop", "rich"));
        assertThat(rich.spec())
                .isEqualTo(new PersistentVolumeClaim.Spec(
                        List.of(AccessMode.READ_WRITE_ONCE_POD),
                        Quantity.parse("1Gi"),
                        "",
                        VolumeMode.FILESYSTEM,
                        "pv-1",
                        new LabelSelector(
                                Map.of("disk", "ssd"),
                                List.of(
                                        new SelectorRequirement("zone", "NotIn", List.of("1")),
                                        new SelectorRequirement("fast", "Exists", List.of()))),
                        new TypedReference("", "PersistentVolumeClaim", "", "old"),
                        new TypedReference("snapshot.storage.k8s.io", "VolumeSnapshot", "other", "snap"),
                        "gold"));
        assertThat(rich.status())
                .isEqualTo(new PersistentVolumeClaim.Status(
                        ClaimPhase.BOUND,
                        List.of(AccessMode.READ_WRITE_ONCE_POD),
                        Quantity.parse("1Gi"),
                        Map.of("storage", Quantity.parse("2Gi")),
                        Map.of("storage", "NodeResizePending"),
                        "silver"));
        assertThat(rich.classUnset()).as("no class was asked for").isFalse();

        PersistentVolumeClaim least = (PersistentVolumeClaim) claims.get(1);
        assertThat(least.key()).isEqualTo(ObjectKey.claim("default", "least"));
        assertThat(least.classUnset()).as("nothing was said about a class").isTrue();
        assertThat(least.spec().selector()).isEqualTo(new LabelSelector(Map.of(), List.of()));
        assertThat(least.spec().request()).isNull();
    }

    @Test
    void readsAPod() {
        Pod pod = (Pod) read("codec/pods.yaml").get(0);
        Pod.Spec spec = pod.spec();

        assertThat(spec.nodeName()).isEqualTo("n1");
        assertThat(spec.serviceAccountName()).isEqualTo("builder");
        assertThat(spec.securityContext())
                .isEqualTo(new Pod.SecurityContext(
                        2000L,
                        "OnRootMismatch",
                        List.of(1L, 2L),
                        new Pod.SeLinuxOptions("u", "r", "t", "s0:c1,c2"),
                        "Recursive",
                        1000L));
        assertThat(spec.initContainers())
                .containsExactly(new Container(
                        "init",
                        List.of(new Container.VolumeMount("data", "/data", "a/b", true, "", "")),
                        List.of(),
                        Map.of(),
                        Map.of(),
                        null,
                        "Always"));
        assertThat(spec.containers())
                .containsExactly(new Container(
                        "main",
                        List.of(
                                new Container.VolumeMount(
                                        "data", "/data", "", "$(X)", false, "HostToContainer", "IfPossible"),
                                new Container.VolumeMount("data", "/again", "", false, "", "")),
                        List.of(new Container.VolumeDevice("raw", "/dev/xvda")),
                        Map.of("memory", Quantity.parse("64Mi"), "cpu", Quantity.parse("500m")),
                        Map.of("hugepages-2Mi", Quantity.parse("4Mi")),
                        new Pod.SeLinuxOptions("", "", "", "s0:c3"),
                        "",
                        1L));
        assertThat(spec.hostUsers()).isFalse();
        assertThat(spec.ephemeralContainers())
                .containsExactly(new Container(
                        "debug",
                        List.of(new Container.VolumeMount("data", "/look", "logs", true, "", "")),
                        List.of(),
                        Map.of(),
                        Map.of()));
        assertThat(pod.status())
                .isEqualTo(new Pod.Status(
                        PodPhase.RUNNING,
                        List.of(
                                new Pod.ContainerStatus("main", true),
                                new Pod.ContainerStatus("init", false),
                                new Pod.ContainerStatus("other", false))));
    }

    /** A sidecar is an init container that runs until the others have ended, and it may write until then. */
    @ParameterizedTest
    @ValueSource(strings = {"containerStatuses", "initContainerStatuses", "ephemeralContainerStatuses"})
    void aDeletedPodHasNotEndedWhileAContainerOfAnySortRuns(String statuses) {
        String text = """
                apiVersion: v1
                kind: Pod
                metadata: {name: a, deletionTimestamp: "2026-01-01T00:00:00Z"}
                status:
                  phase: Running
                  %s: [{name: b, state: {waiting: {}}}, {name: c, state: {%s: {}}}]
                """;
        Pod running = (Pod)
                Manifests.read("pod.yaml", text.formatted(statuses, "running")).get(0);
        Pod ended = (Pod) Manifests.read("pod.yaml", text.formatted(statuses, "terminated"))
                .get(0);

        assertThat(running.terminated()).isFalse();
        assertThat(ended.terminated()).isTrue();
        assertThat(Manifests.fromTree(Overlay.lay(Map.of(), Written.part(), ObjectShape.write(running))))
                .extracting("status")
                .isEqualTo(running.status());
    }

    @Test
    void readsThePodsVolumesByTheKeyOfTheirSource() {
        assertThat(sources("codec/pods.yaml", 0))
                .containsExactly(
                        Map.entry("data", new ClaimSource("c", true)),
                        Map.entry(
                                "raw",
                                new CsiSource(
                                        "inline.example.com",
                                        "",
                                        false,
                                        "",
                                        Map.of("a", "b"),
                                        null,
                                        null,
                                        new SecretRef("", "s"),
                                        null,
                                        null)),
                        Map.entry("scratch", new EmptyDirSource("Memory", Quantity.parse("1Gi"))),
                        Map.entry("empty", new EmptyDirSource("", null)),
                        Map.entry("tmp", new EmptyDirSource("", null, 01777)),
                        Map.entry("nothing", new EmptyDirSource("", null)),
                        Map.entry("null-scratch", new EmptyDirSource("", null)),
                        Map.entry("share", new NfsSource("s", "/p", true)),
                        Map.entry("host", new HostPathSource("/etc", "Directory")),
                        Map.entry("lvm", new FlexVolumeSource("example.com/lvm", "", false, Map.of(), null)),
                        Map.entry("future", new OtherSource("quantumFoam", Map.of("bubbles", 7))));
    }

    @Test
    void keepsEverySource() {
        Map<String, VolumeSource> sources = sources("codec/pods.yaml", 1);

        assertThat(sources.values())
                .allSatisfy(source ->
                        assertThat(source).isInstanceOfAny(OtherSource.class, IscsiSource.class, FcSource.class))
                .extracting(VolumeSource::type)
                .containsExactly(
                        "awsElasticBlockStore",
                        "gcePersistentDisk",
                        "gitRepo",
                        "secret",
                        "iscsi",
                        "glusterfs",
                        "rbd",
                        "cinder",
                        "quobyte",
                        "cephfs",
                        "downwardAPI",
                        "fc",
                        "flocker",
                        "azureFile",
                        "configMap",
                        "vsphereVolume",
                        "azureDisk",
                        "photonPersistentDisk",
                        "projected",
                        "portworxVolume",
                        "scaleIO",
                        "storageos",
                        "ephemeral",
                        "image");
        assertThat(sources.get("v04"))
                .as("a mode in octal notation")
                .isEqualTo(new OtherSource(
                        "secret",
                        Map.of(
                                "secretName",
                                "s",
                                "defaultMode",
                                0400,
                                "items",
                                List.of(Map.of("key", "k", "path", "p", "mode", 0x1ff)))));
    }

    @Test
    void readsAStorageClass() {
        StorageClass type = (StorageClass) read("codec/others.yaml").get(0);

        assertThat(type)
                .isEqualTo(new StorageClass(
                        type.metadata(),
                        "kubernetes.io/gce-pd",
                        Map.of("type", "pd-ssd", "iops", "100"),
                        ReclaimPolicy.RETAIN,
                        List.of("noatime"),
                        true,
                        VolumeBindingMode.WAIT_FOR_FIRST_CONSUMER,
                        new NodeSelector(List.of(
                                new NodeSelector.Term(
                                        List.of(new SelectorRequirement("zone", "In", List.of("a", "b"))), List.of()),
                                new NodeSelector.Term(
                                        List.of(new SelectorRequirement("zone", "In", List.of("c"))), List.of()))),
                        type.unmodeled()));
        assertThat(type.isDefault()).isTrue();

        StorageClass plain = (StorageClass) read("seeds/dynamic-nfs.yaml").get(0);
        assertThat(plain.reclaimPolicy()).isEqualTo(ReclaimPolicy.DELETE);
        assertThat(plain.volumeBindingMode()).isEqualTo(VolumeBindingMode.IMMEDIATE);
        assertThat(plain.allowVolumeExpansion()).isFalse();
        assertThat(plain.allowedTopologies()).isNull();
    }

    @Test
    void readsANode() {
        Node node = (Node) read("codec/others.yaml").get(1);

        assertThat(node.key()).isEqualTo(ObjectKey.node("n1.example.com"));
        assertThat(node.spec().taints())
                .containsExactly(new Node.Taint("node.kubernetes.io/out-of-service", "nodeshutdown", "NoExecute"));
        assertThat(node.status())
                .isEqualTo(new Node.Status(
                        true,
                        List.of("kubernetes.io/csi/x^v1"),
                        List.of(new Node.AttachedVolume("kubernetes.io/csi/x^v1", "")),
                        Map.of(
                                "cpu",
                                Quantity.parse("4"),
                                "memory",
                                Quantity.parse("16Gi"),
                                "attachable-volumes-csi-x",
                                Quantity.parse("25"))));
    }

    @Test
    void readsAVolumeAttachment() {
        List<ApiObject> objects = read("codec/others.yaml");
        VolumeAttachment attachment = (VolumeAttachment) objects.get(2);

        assertThat(attachment.spec()).isEqualTo(VolumeAttachment.Spec.ofVolume("x.example.com", "n1", "pv-1"));
        assertThat(attachment.status())
                .isEqualTo(new VolumeAttachment.Status(
                        false,
                        Map.of("device", "/dev/sdb"),
                        new VolumeAttachment.Failure("2026-01-31T12:00:00Z", "no: why", 13),
                        null));

        VolumeAttachment inline = (VolumeAttachment) objects.get(3);
        assertThat(inline.spec().persistentVolumeName()).isEmpty();
        assertThat(inline.spec().inlineVolumeSpec())
                .extracting(PersistentVolume.Spec::source)
                .isEqualTo(CsiSource.of("x.example.com", "h", "", Map.of()));
        assertThat(inline.status().attached()).isTrue();
    }

    @Test
    void readsTheManifestsThatEverybodyStartsWith() {
        assertThat(read("seeds/static-nfs.yaml"))
                .extracting(ApiObject::key)
                .containsExactly(
                        ObjectKey.volume("nfs-pv"),
                        ObjectKey.claim("default", "nfs-pvc"),
                        ObjectKey.pod("default", "test-nfs"));
        assertThat(((PersistentVolumeClaim) read("seeds/dynamic-nfs.yaml").get(1)).className())
                .as("the annotation beats the field")
                .isEqualTo("example-nfs");
        assertThat(((PersistentVolumeClaim) read("seeds/dynamic-nfs-plain.yaml").get(1)).className())
                .isEqualTo("nfs-sc");
    }

    @Test
    void readsNothingFromNothing() {
        assertThat(Manifests.read("f", "")).isEmpty();
        assertThat(Manifests.read("f", "---\n# nothing\n---\n~\n")).isEmpty();
        assertThat(Manifests.read("f", "{\"kind\": \"List\", \"items\": []}")).isEmpty();
    }

    @Test
    void readsSeveralJsonObjectsOneAfterAnotherAndAYamlObjectInBraces() {
        String json = "{\"apiVersion\": \"v1\",\t\"kind\": \"Pod\", \"metadata\": {\"name\": \"%s\"}}";

        assertThat(Manifests.read("f", String.format(json, "a") + "\n" + String.format(json, "b")))
                .extracting(ApiObject::key)
                .containsExactly(ObjectKey.pod("default", "a"), ObjectKey.pod("default", "b"));
        assertThat(Manifests.read("f", "{apiVersion: v1, kind: Pod, metadata: {name: c}}"))
                .extracting(ApiObject::key)
                .containsExactly(ObjectKey.pod("default", "c"));
    }

    private static List<ApiObject> read(String file) {
        return Manifests.read(file, ManifestFiles.text(file));
    }

    private static PersistentVolume volume(String name) {
        return read("codec/volumes.yaml").stream()
                .filter(object -> object.metadata().name().equals(name))
                .map(PersistentVolume.class::cast)
                .findFirst()
                .orElseThrow();
    }

    private static Map<String, VolumeSource> sources(String file, int index) {
        Map<String, VolumeSource> sources = new LinkedHashMap<>();
        for (PodVolume volume : ((Pod) read(file).get(index)).spec().volumes()) {
            sources.put(volume.name(), volume.source());
        }
        return sources;
    }

    @Test
    void objectsOfKindsThatNoRecordModelsAreOfferedToTheHost() {
        String text = """
                {apiVersion: v1, kind: ConfigMap, metadata: {name: a}, data: {k: v}}
                ---
                {apiVersion: v1, kind: Pod, metadata: {name: p}}
                ---
                {apiVersion: v1, kind: Gadget, metadata: {name: g}}
                """;
        List<String> offered = new ArrayList<>();

        assertThatThrownBy(() -> Manifests.read("f", text, tree -> {
                    offered.add(String.valueOf(tree.get("kind")));
                    return "ConfigMap".equals(tree.get("kind"));
                }))
                .isInstanceOf(ManifestException.class)
                .hasMessageContaining("Gadget");
        assertThat(offered).containsExactly("ConfigMap", "Gadget");
        assertThat(Manifests.read("f", text, tree -> true))
                .extracting(ApiObject::key)
                .containsExactly(ObjectKey.pod("default", "p"));
    }
}
