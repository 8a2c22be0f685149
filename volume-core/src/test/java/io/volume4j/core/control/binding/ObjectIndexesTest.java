package io.volume4j.core.control.binding;

import static io.volume4j.core.control.PlanRow.object;
import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.core.migration.CsiMigration;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.Node;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.PersistentVolumeClaim;
import io.volume4j.spi.model.VolumeAttachment;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What binding looks up, by what changed. */
class ObjectIndexesTest {
    private static final ObjectKey DATA = ObjectKey.claim("a", "data");

    private final ObjectIndexes indexes = new ObjectIndexes(new Storage(CsiMigration.standard()));
    private final Map<ObjectKey, ApiObject> known = new LinkedHashMap<>();

    @Test
    void anUnboundClaimIsFoundByItsClass() {
        is(claim("", "storageClassName: quick"));
        assertThat(indexes.unboundByClass.naming("quick")).containsExactly(DATA);

        is(claim("", "storageClassName: slow"));
        assertThat(indexes.unboundByClass.naming("quick")).isEmpty();
        assertThat(indexes.unboundByClass.naming("slow")).containsExactly(DATA);

        is(claim("", "storageClassName: slow, volumeName: v1"));
        assertThat(indexes.unboundByClass.naming("slow")).isEmpty();
    }

    /** An empty name is a class of its own, and no name stands for the default class. */
    @Test
    void aClaimThatSaysNothingOfAClassIsNotOneOfTheEmptyClass() {
        is(claim("", "storageClassName: ''"));
        assertThat(indexes.unboundByClass.naming("")).containsExactly(DATA);
        assertThat(indexes.unboundByClass.naming(ObjectIndexes.NO_CLASS_SAID)).isEmpty();

        is(claim("", ""));
        assertThat(indexes.unboundByClass.naming("")).isEmpty();
        assertThat(indexes.unboundByClass.naming(ObjectIndexes.NO_CLASS_SAID)).containsExactly(DATA);
    }

    @Test
    void anUnboundClaimIsFoundByTheNodeOfItsFirstPod() {
        is(claim("volume.kubernetes.io/selected-node: n1", ""));
        assertThat(indexes.unboundByNode.naming("n1")).containsExactly(DATA);
        assertThat(indexes.unboundByNode.naming("")).isEmpty();

        is(claim("volume.kubernetes.io/selected-node: n1, pv.kubernetes.io/bind-completed: 'yes'", ""));
        assertThat(indexes.unboundByNode.naming("n1")).isEmpty();
        assertThat(indexes.unboundByClass.naming(ObjectIndexes.NO_CLASS_SAID)).isEmpty();

        is(claim("", ""));
        assertThat(indexes.unboundByNode.naming("")).isEmpty();
    }

    @Test
    void attachmentsAreFoundByTheirVolume() {
        is(attachment("persistentVolumeName: v1"));
        assertThat(indexes.attachmentsByVolume.naming("v1")).containsExactly(ObjectKey.attachment("att"));

        is(attachment("inlineVolumeSpec: {csi: {driver: mem, volumeHandle: h}}"));
        assertThat(indexes.attachmentsByVolume.naming("v1")).isEmpty();
        assertThat(indexes.attachmentsByVolume.naming("")).isEmpty();
    }

    @Test
    void nodesAreFoundByWhatIsReportedThere() {
        is(object(Node.class, """
                {apiVersion: v1, kind: Node, metadata: {name: n1},
                 status: {volumesInUse: [kubernetes.io/csi/mem^h1],
                          volumesAttached: [{name: kubernetes.io/csi/mem^h2, devicePath: ''}]}}
                """));
        assertThat(indexes.nodesByVolume.naming("mem^h1")).containsExactly(ObjectKey.node("n1"));
        assertThat(indexes.nodesByVolume.naming("mem^h2")).containsExactly(ObjectKey.node("n1"));

        gone(ObjectKey.node("n1"));

        assertThat(indexes.nodesByVolume.naming("mem^h1")).isEmpty();
        assertThat(indexes.nodesByVolume.naming("mem^h2")).isEmpty();
    }

    @Test
    void volumesAreFoundByTheirStorage() {
        is(volume("v1", "csi: {driver: mem, volumeHandle: h}"));
        is(volume("v2", "csi: {driver: mem, volumeHandle: h}"));
        is(volume("v3", "nfs: {server: s, path: /h}"));
        assertThat(indexes.volumesByStorage.naming("h"))
                .containsExactly(ObjectKey.volume("v1"), ObjectKey.volume("v2"));
        assertThat(indexes.volumesByStorage.naming("/h")).containsExactly(ObjectKey.volume("v3"));

        gone(ObjectKey.volume("v1"));

        assertThat(indexes.volumesByStorage.naming("h")).containsExactly(ObjectKey.volume("v2"));
    }

    private void is(ApiObject object) {
        indexes.changed(known.put(object.key(), object), object, object.key());
    }

    private void gone(ObjectKey key) {
        indexes.changed(known.remove(key), null, key);
    }

    private static PersistentVolumeClaim claim(String annotations, String spec) {
        return object(PersistentVolumeClaim.class, """
                {apiVersion: v1, kind: PersistentVolumeClaim,
                 metadata: {name: data, namespace: a, annotations: {ANNOTATIONS}}, spec: {SPEC}}
                """.replace("ANNOTATIONS", annotations)
                .replace("SPEC", spec));
    }

    private static PersistentVolume volume(String name, String spec) {
        return object(PersistentVolume.class, """
                {apiVersion: v1, kind: PersistentVolume, metadata: {name: NAME}, spec: {SPEC}}
                """.replace("NAME", name).replace("SPEC", spec));
    }

    private static VolumeAttachment attachment(String source) {
        return object(VolumeAttachment.class, """
                {apiVersion: storage.k8s.io/v1, kind: VolumeAttachment, metadata: {name: att},
                 spec: {attacher: mem, nodeName: n1, source: {SOURCE}}}
                """.replace("SOURCE", source));
    }
}
