package io.volume4j.inmemory.attach;

import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.core.codec.Manifests;
import io.volume4j.core.plugins.FcPlugin;
import io.volume4j.core.plugins.IscsiPlugin;
import io.volume4j.spi.model.CsiSource;
import io.volume4j.spi.model.PersistentVolume;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Volumes that stand in the pod itself. API servers store an attachment without a PersistentVolume only if its source is a CSI volume.
 */
class InlineVolumesTest extends AttachBench {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "iscsi: {targetPortal: 10.0.0.1:3260, iqn: 'iqn.2001-04.com.example:x', lun: 1} | iscsi.kubernetes.io",
                "fc: {targetWWNs: ['500a0982991b8dc5'], lun: 2} | fc.kubernetes.io"
            })
    void areRecordedInAFormThatAPIServersStoreAndAttachedAndDetached(String source, String attacher) {
        cluster.others.add(new IscsiPlugin());
        cluster.others.add(new FcPlugin());
        cluster.foreignNode("n1").controller();
        pod(source);
        cluster.settle();

        assertThat(cluster.records()).singleElement().satisfies(record -> {
            assertThat(record.spec().attacher()).isEqualTo(attacher);
            assertThat(record.status().attached()).isTrue();
            PersistentVolume.Spec inline = Objects.requireNonNull(record.spec().inlineVolumeSpec());
            assertThat(inline.source())
                    .isInstanceOfSatisfying(
                            CsiSource.class, csi -> assertThat(csi.driver()).isEqualTo(attacher));
        });

        cluster.deletePod("a");
        cluster.settle();
        assertThat(cluster.records()).isEmpty();
    }

    /** Without it the next leader does not know that the pod wants the volume. */
    @Test
    void stayAttachedWhileTheirPluginIsNotRegistered() {
        cluster.others.add(new IscsiPlugin());
        cluster.foreignNode("n1").controller();
        pod("iscsi: {targetPortal: '10.0.0.1:3260', iqn: 'iqn.2001-04.com.example:x', lun: 1}");
        cluster.settle();
        String uid = cluster.records().get(0).metadata().uid();

        cluster.killController("c");
        cluster.others.clear();
        cluster.controller().settle();
        assertThat(cluster.records()).singleElement().satisfies(record -> {
            assertThat(record.metadata().uid()).isEqualTo(uid);
            assertThat(record.metadata().deleting()).isFalse();
        });

        cluster.killController("c");
        cluster.others.add(new IscsiPlugin());
        cluster.deletePod("a");
        cluster.controller().settle();
        assertThat(cluster.records()).isEmpty();
    }

    /** The handle is that of a volume of another namespace, which its own pod could not get then. */
    @Test
    void areNotAttachedByAHandleThatThePodGives() {
        cluster.options = cluster.options.withExternalAttachers(Set.of("far.example.com"));
        cluster.foreignNode("n1").controller();
        pod("csi: {driver: far.example.com, volumeHandle: of-another}");
        cluster.settle();

        assertThat(cluster.records()).isEmpty();
    }

    private void pod(String source) {
        cluster.cluster.apply(Manifests.read("pod", """
                apiVersion: v1
                kind: Pod
                metadata: {name: a, uid: a}
                spec:
                  nodeName: n1
                  containers: [{name: c, image: i, volumeMounts: [{name: v, mountPath: /v}]}]
                  volumes: [{name: v, %s}]
                """.formatted(source)).get(0));
    }
}
