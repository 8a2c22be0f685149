package io.volume4j.core.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.DeletionPolicy;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.LabelSelector;
import io.volume4j.spi.model.ObjectReference;
import io.volume4j.spi.model.Quantity;
import io.volume4j.spi.model.SnapshotError;
import io.volume4j.spi.model.VolumeGroupSnapshot;
import io.volume4j.spi.model.VolumeGroupSnapshotClass;
import io.volume4j.spi.model.VolumeGroupSnapshotContent;
import io.volume4j.spi.model.VolumeMode;
import io.volume4j.spi.model.VolumeSnapshot;
import io.volume4j.spi.model.VolumeSnapshotClass;
import io.volume4j.spi.model.VolumeSnapshotContent;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Snapshots, their contents, classes and groups as manifests. */
class SnapshotManifestsTest {
    private static final String SNAPSHOT = """
            apiVersion: snapshot.storage.k8s.io/v1
            kind: VolumeSnapshot
            metadata: {name: s, namespace: a, uid: u1}
            spec: {source: {persistentVolumeClaimName: data}, volumeSnapshotClassName: fast, more: kept}
            status: {boundVolumeSnapshotContentName: snapcontent-u1, readyToUse: true, creationTime: "2026-01-31T12:00:00Z",
              restoreSize: 1Gi, error: {time: "2026-01-31T12:00:01Z", message: was slow}, volumeGroupSnapshotName: g}
            """;
    private static final String CONTENT = """
            apiVersion: snapshot.storage.k8s.io/v1
            kind: VolumeSnapshotContent
            metadata: {name: snapcontent-u1}
            spec:
              volumeSnapshotRef: {apiVersion: snapshot.storage.k8s.io/v1, kind: VolumeSnapshot, namespace: a, name: s, uid: u1}
              deletionPolicy: Delete
              driver: mem
              volumeSnapshotClassName: fast
              source: {volumeHandle: v1}
              sourceVolumeMode: Block
            status: {snapshotHandle: h1, creationTime: 1769860800000000000, restoreSize: 1073741824, readyToUse: true,
              volumeGroupSnapshotHandle: gh}
            """;
    private static final String CLASS = """
            apiVersion: snapshot.storage.k8s.io/v1
            kind: VolumeSnapshotClass
            metadata: {name: fast}
            driver: mem
            deletionPolicy: Retain
            parameters: {tier: cold}
            """;
    private static final String GROUP = """
            apiVersion: groupsnapshot.storage.k8s.io/v1beta2
            kind: VolumeGroupSnapshot
            metadata: {name: g, namespace: a}
            spec: {source: {selector: {matchLabels: {app: db}}}, volumeGroupSnapshotClassName: fast}
            status: {boundVolumeGroupSnapshotContentName: groupsnapcontent-u1, readyToUse: true, creationTime: "2026-01-31T12:00:00Z"}
            """;
    private static final String GROUP_CONTENT = """
            apiVersion: groupsnapshot.storage.k8s.io/v1beta2
            kind: VolumeGroupSnapshotContent
            metadata: {name: groupsnapcontent-u1}
            spec:
              volumeGroupSnapshotRef: {namespace: a, name: g, uid: u1}
              deletionPolicy: Delete
              driver: mem
              source: {groupSnapshotHandles: {volumeGroupSnapshotHandle: gh, volumeSnapshotHandles: [h1, h2]}}
            status:
              volumeGroupSnapshotHandle: gh
              readyToUse: true
              volumeSnapshotInfoList:
              - {volumeHandle: v1, snapshotHandle: h1, creationTime: 7, restoreSize: 8, readyToUse: true}
            """;
    private static final String GROUP_CLASS = """
            apiVersion: groupsnapshot.storage.k8s.io/v1beta2
            kind: VolumeGroupSnapshotClass
            metadata: {name: fast}
            driver: mem
            deletionPolicy: Delete
            """;

    @ParameterizedTest
    @ValueSource(strings = {"v1", "v1beta1", "v1beta2"})
    void readsAndWritesAGroupInEachServedVersion(String version) {
        String text = GROUP.replace("v1beta2", version);
        VolumeGroupSnapshot group = (VolumeGroupSnapshot) read(text);

        assertThat(group.apiVersion()).isEqualTo("groupsnapshot.storage.k8s.io/" + version);
        assertThat(group.spec()).isEqualTo(((VolumeGroupSnapshot) read(GROUP)).spec());
        assertThat(Manifests.toTree(group)).containsEntry("apiVersion", "groupsnapshot.storage.k8s.io/" + version);
    }

    @Test
    void theMembersOfAGroupArePairsInTheOldestServedVersion() {
        VolumeGroupSnapshotContent content = (VolumeGroupSnapshotContent) read(GROUP_CONTENT
                .replace("v1beta2", "v1beta1")
                .replace("volumeSnapshotInfoList", "volumeSnapshotHandlePairList")
                .replace(", creationTime: 7, restoreSize: 8, readyToUse: true}", "}"));

        assertThat(content.status().members())
                .containsExactly(new VolumeGroupSnapshotContent.Member("v1", "h1", null, null, false));
        VolumeGroupSnapshotContent.Status more = new VolumeGroupSnapshotContent.Status(
                "gh", true, null, null, List.of(new VolumeGroupSnapshotContent.Member("v2", "h2", 7L, 8L, true)));
        assertThat(Manifests.toTree(new VolumeGroupSnapshotContent(
                                content.metadata(), content.spec(), more, content.unmodeled()))
                        .get("status"))
                .asInstanceOf(InstanceOfAssertFactories.map(String.class, Object.class))
                .containsEntry(
                        "volumeSnapshotHandlePairList", List.of(Map.of("volumeHandle", "v2", "snapshotHandle", "h2")))
                .doesNotContainKey("volumeSnapshotInfoList");
    }

    @Test
    void aVersionThatIsNotKnownNamesThoseThatAre() {
        assertThatThrownBy(() -> read(GROUP.replace("v1beta2", "v2")))
                .hasMessageContaining("is not known for a VolumeGroupSnapshot: write one of "
                        + "groupsnapshot.storage.k8s.io/v1beta2, groupsnapshot.storage.k8s.io/v1, "
                        + "groupsnapshot.storage.k8s.io/v1beta1");
    }

    @Test
    void readsASnapshot() {
        VolumeSnapshot snapshot = (VolumeSnapshot) read(SNAPSHOT);

        assertThat(snapshot.kind()).isEqualTo(Kind.VOLUME_SNAPSHOT);
        assertThat(snapshot.spec()).isEqualTo(new VolumeSnapshot.Spec("data", "", "fast"));
        assertThat(snapshot.status())
                .isEqualTo(new VolumeSnapshot.Status(
                        "snapcontent-u1",
                        true,
                        Instant.parse("2026-01-31T12:00:00Z"),
                        Quantity.parse("1Gi"),
                        new SnapshotError("2026-01-31T12:00:01Z", "was slow"),
                        "g"));
    }

    @Test
    void readsAContent() {
        VolumeSnapshotContent content = (VolumeSnapshotContent) read(CONTENT);

        assertThat(content.spec())
                .isEqualTo(new VolumeSnapshotContent.Spec(
                        new ObjectReference("snapshot.storage.k8s.io/v1", "VolumeSnapshot", "a", "s", "u1", ""),
                        DeletionPolicy.DELETE,
                        "mem",
                        "fast",
                        "v1",
                        "",
                        VolumeMode.BLOCK));
        assertThat(content.status())
                .isEqualTo(new VolumeSnapshotContent.Status("h1", 1769860800000000000L, 1073741824L, true, null, "gh"));
        assertThat(content.handle()).isEqualTo("h1");
    }

    @Test
    void readsClasses() {
        VolumeSnapshotClass single = (VolumeSnapshotClass) read(CLASS);
        VolumeGroupSnapshotClass group = (VolumeGroupSnapshotClass) read(GROUP_CLASS);

        assertThat(single.driver()).isEqualTo("mem");
        assertThat(single.deletionPolicy()).isEqualTo(DeletionPolicy.RETAIN);
        assertThat(single.parameters()).isEqualTo(Map.of("tier", "cold"));
        assertThat(group.deletionPolicy()).isEqualTo(DeletionPolicy.DELETE);
    }

    @Test
    void readsGroups() {
        VolumeGroupSnapshot group = (VolumeGroupSnapshot) read(GROUP);
        VolumeGroupSnapshotContent content = (VolumeGroupSnapshotContent) read(GROUP_CONTENT);

        assertThat(group.spec())
                .isEqualTo(new VolumeGroupSnapshot.Spec(new LabelSelector(Map.of("app", "db"), List.of()), "", "fast"));
        assertThat(content.handle()).isEqualTo("gh");
        assertThat(content.spec().snapshotHandles()).containsExactly("h1", "h2");
        assertThat(content.status().members())
                .containsExactly(new VolumeGroupSnapshotContent.Member("v1", "h1", 7L, 8L, true));
    }

    @ParameterizedTest
    @ValueSource(strings = {SNAPSHOT, CONTENT, CLASS, GROUP, GROUP_CONTENT, GROUP_CLASS})
    void writesBackWhatItRead(String text) {
        ApiObject object = read(text);

        assertThat(Manifests.fromTree(Manifests.toTree(object))).isEqualTo(object);
        assertThat(read(Manifests.toYaml(object))).isEqualTo(object);
        if (object instanceof VolumeSnapshot) {
            assertThat(Manifests.toYaml(object)).contains("more: kept");
        }
    }

    @Test
    void anUnknownPolicyIsNeitherDeleteNorRetain() {
        VolumeSnapshotClass type = (VolumeSnapshotClass) read(CLASS.replace("Retain", "Later"));

        assertThat(type.deletionPolicy()).isEqualTo(DeletionPolicy.UNKNOWN);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    persistentVolumeClaimName: data | | persistentVolumeClaimName
                    persistentVolumeClaimName: data | persistentVolumeClaimName: data, volumeSnapshotContentName: c | exactly one
                    """)
    void aSourceIsExactlyOneThing(String was, String is, String told) {
        String text = SNAPSHOT.replace(was, is == null ? "" : is);

        assertThatThrownBy(() -> read(text))
                .isInstanceOf(ManifestException.class)
                .hasMessageContaining(told);
    }

    private static ApiObject read(String text) {
        return Manifests.read("test", text).get(0);
    }
}
