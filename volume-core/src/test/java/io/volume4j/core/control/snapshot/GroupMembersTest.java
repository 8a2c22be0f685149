package io.volume4j.core.control.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.core.codec.Manifests;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.VolumeGroupSnapshot;
import io.volume4j.spi.model.VolumeGroupSnapshotContent;
import org.junit.jupiter.api.Test;

/** Seen of Kubernetes' snapshot controller: it and this library make one set of objects for a group, not two. */
class GroupMembersTest {
    private static final String HASH = "c58348c321c1b236eb515cf06d8dfa4e7cba5f5874eb2718e264faaa9a533374";

    @Test
    void namesAreThoseOfKubernetesSnapshotController() {
        VolumeGroupSnapshot group = (VolumeGroupSnapshot) read("""
                {apiVersion: groupsnapshot.storage.k8s.io/v1, kind: VolumeGroupSnapshot,
                 metadata: {name: g, namespace: a, uid: u-g}, spec: {source: {selector: {}}}}
                """);
        VolumeGroupSnapshotContent content = (VolumeGroupSnapshotContent) read("""
                {apiVersion: groupsnapshot.storage.k8s.io/v1, kind: VolumeGroupSnapshotContent,
                 metadata: {name: gc},
                 spec: {volumeGroupSnapshotRef: {namespace: a, name: g, uid: u-g}, deletionPolicy: Delete, driver: mem,
                        source: {volumeHandles: [h-data]}},
                 status: {volumeGroupSnapshotHandle: gh, readyToUse: true,
                          volumeSnapshotInfoList: [{volumeHandle: h-data, snapshotHandle: h1, readyToUse: true}]}}
                """);

        assertThat(GroupMembers.of(group, content, content.status().members().get(0), null))
                .extracting(object -> object.key().toString())
                .containsExactly("VolumeSnapshotContent//snapcontent-" + HASH, "VolumeSnapshot/a/snapshot-" + HASH);
        assertThat(GroupMembers.contentOf("snapshot-" + HASH)).isEqualTo("snapcontent-" + HASH);
    }

    private static ApiObject read(String text) {
        return Manifests.read("test", text).get(0);
    }
}
