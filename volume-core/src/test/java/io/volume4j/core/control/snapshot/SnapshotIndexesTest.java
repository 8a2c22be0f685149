package io.volume4j.core.control.snapshot;

import static io.volume4j.core.control.PlanRow.object;
import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.PersistentVolumeClaim;
import io.volume4j.spi.model.VolumeGroupSnapshot;
import io.volume4j.spi.model.VolumeSnapshot;
import io.volume4j.spi.model.VolumeSnapshotContent;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What snapshots look up, by what changed. */
class SnapshotIndexesTest {
    private static final ObjectKey S = new ObjectKey(Kind.VOLUME_SNAPSHOT, "a", "s");
    private static final ObjectKey G = new ObjectKey(Kind.VOLUME_GROUP_SNAPSHOT, "a", "g");
    private static final ObjectKey C = new ObjectKey(Kind.VOLUME_SNAPSHOT_CONTENT, "", "c");
    private static final ObjectKey DATA = ObjectKey.claim("a", "data");

    private final SnapshotIndexes indexes = new SnapshotIndexes();
    private final Map<ObjectKey, ApiObject> known = new LinkedHashMap<>();

    @Test
    void aSnapshotIsFoundByItsClaimItsContentAndItsClass() {
        is(snapshot("", "source: {persistentVolumeClaimName: data}, volumeSnapshotClassName: quick", ""));
        assertThat(indexes.byClaim.naming(DATA)).containsExactly(S);
        assertThat(indexes.byContent.naming(content("snapcontent-u-s"))).containsExactly(S);
        assertThat(indexes.byClass.naming("VolumeSnapshotClass/quick")).containsExactly(S);

        is(snapshot("", "source: {volumeSnapshotContentName: c}", ""));
        assertThat(indexes.byClaim.naming(DATA)).isEmpty();
        assertThat(indexes.byContent.naming(content("snapcontent-u-s"))).isEmpty();
        assertThat(indexes.byContent.naming(C)).containsExactly(S);
        assertThat(indexes.byClass.naming("VolumeSnapshotClass/quick")).isEmpty();
        assertThat(indexes.byClass.naming("VolumeSnapshotClass/" + SnapshotIndexes.NO_CLASS))
                .containsExactly(S);

        gone(S);
        assertThat(indexes.byContent.naming(C)).isEmpty();
        assertThat(indexes.byClass.naming("VolumeSnapshotClass/" + SnapshotIndexes.NO_CLASS))
                .isEmpty();
    }

    @Test
    void aMemberIsFoundByItsGroup() {
        String owner = "ownerReferences: [{apiVersion: v1, kind: Pod, name: p, uid: u-p},"
                + " {apiVersion: groupsnapshot.storage.k8s.io/v1, kind: VolumeGroupSnapshot, name: g, uid: u-g}]";
        is(snapshot(owner, "source: {volumeSnapshotContentName: c}", ""));

        assertThat(indexes.byGroup.naming("u-g")).containsExactly(S);
        assertThat(indexes.byGroup.naming("u-p")).isEmpty();
        assertThat(SnapshotIndexes.madeFor(snapshot(owner, "source: {volumeSnapshotContentName: c}", "")))
                .isEqualTo("u-g");
        assertThat(SnapshotIndexes.madeFor(snapshot("", "source: {volumeSnapshotContentName: c}", "")))
                .isEmpty();
    }

    @Test
    void aGroupThatChoosesClaimsIsFoundByItsNamespace() {
        is(group("selector: {matchLabels: {app: db}}"));
        assertThat(indexes.groupsByNamespace.naming("a")).containsExactly(G);
        assertThat(indexes.byClass.naming("VolumeGroupSnapshotClass/" + SnapshotIndexes.NO_CLASS))
                .containsExactly(G);

        is(group("volumeGroupSnapshotContentName: gc"));
        assertThat(indexes.groupsByNamespace.naming("a")).isEmpty();
        assertThat(indexes.byContent.naming(new ObjectKey(Kind.VOLUME_GROUP_SNAPSHOT_CONTENT, "", "gc")))
                .containsExactly(G);
    }

    @Test
    void aContentIsFoundByItsClassAndTheContentOfItsGroup() {
        is(content("volume4j.io/group-snapshot-content: gc", "volumeSnapshotClassName: quick,"));
        assertThat(indexes.byClass.naming("VolumeSnapshotClass/quick")).containsExactly(C);
        assertThat(indexes.byGroupContent.naming("gc")).containsExactly(C);

        ApiObject alone = content("", "");
        is(alone);
        assertThat(indexes.byClass.naming("VolumeSnapshotClass/quick")).isEmpty();
        assertThat(indexes.byClass.naming("VolumeSnapshotClass/")).isEmpty();
        assertThat(indexes.byGroupContent.naming("gc")).isEmpty();
        assertThat(indexes.byGroupContent.naming("")).isEmpty();
        assertThat(SnapshotIndexes.madeFor(alone)).isEqualTo("u-s");
    }

    @Test
    void aClaimIsFoundByItsNamespaceAndByWhatItIsMadeFrom() {
        is(claim("dataSource: {apiGroup: snapshot.storage.k8s.io, kind: VolumeSnapshot, name: s}"));
        assertThat(indexes.madeFrom.naming(S)).containsExactly(DATA);
        assertThat(indexes.claimsByNamespace.naming("a")).containsExactly(DATA);

        is(claim(""));
        assertThat(indexes.madeFrom.naming(S)).isEmpty();

        gone(DATA);
        assertThat(indexes.claimsByNamespace.naming("a")).isEmpty();
    }

    @Test
    void otherKindsNameNothing() {
        is(object(PersistentVolume.class, "{apiVersion: v1, kind: PersistentVolume, metadata: {name: c}, spec: {}}"));

        assertThat(indexes.claimsByNamespace.naming("")).isEmpty();
        assertThat(SnapshotIndexes.madeFor(claim(""))).isEmpty();
    }

    private void is(ApiObject object) {
        indexes.changed(object.key(), known.put(object.key(), object), object);
    }

    private void gone(ObjectKey key) {
        indexes.changed(key, known.remove(key), null);
    }

    private static ObjectKey content(String name) {
        return new ObjectKey(Kind.VOLUME_SNAPSHOT_CONTENT, "", name);
    }

    private static VolumeSnapshot snapshot(String metadata, String spec, String status) {
        return object(
                VolumeSnapshot.class,
                """
                {apiVersion: snapshot.storage.k8s.io/v1, kind: VolumeSnapshot,
                 metadata: {name: s, namespace: a, uid: u-s, METADATA}, spec: {SPEC}, status: {STATUS}}
                """.replace("METADATA", metadata).replace("SPEC", spec).replace("STATUS", status));
    }

    private static VolumeGroupSnapshot group(String source) {
        return object(VolumeGroupSnapshot.class, """
                {apiVersion: groupsnapshot.storage.k8s.io/v1, kind: VolumeGroupSnapshot,
                 metadata: {name: g, namespace: a, uid: u-g}, spec: {source: {SOURCE}}}
                """.replace("SOURCE", source));
    }

    private static VolumeSnapshotContent content(String annotations, String spec) {
        return object(VolumeSnapshotContent.class, """
                {apiVersion: snapshot.storage.k8s.io/v1, kind: VolumeSnapshotContent,
                 metadata: {name: c, annotations: {ANNOTATIONS}},
                 spec: {SPEC driver: mem, source: {volumeHandle: v}, deletionPolicy: Delete,
                        volumeSnapshotRef: {namespace: a, name: s, uid: u-s}}}
                """.replace("ANNOTATIONS", annotations)
                .replace("SPEC", spec));
    }

    private static PersistentVolumeClaim claim(String spec) {
        return object(PersistentVolumeClaim.class, """
                {apiVersion: v1, kind: PersistentVolumeClaim, metadata: {name: data, namespace: a}, spec: {SPEC}}
                """.replace("SPEC", spec));
    }
}
