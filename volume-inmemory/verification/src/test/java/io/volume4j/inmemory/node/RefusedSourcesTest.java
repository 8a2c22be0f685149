package io.volume4j.inmemory.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.volume4j.core.codec.Manifests;
import io.volume4j.spi.VolumeException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A user who asks why a pod of an old manifest does not start is told in one line what to write in its place. */
class RefusedSourcesTest {
    private final NodeHarness node = new NodeHarness(1);

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            value = {
                "rbd: {monitors: [m], image: i} | rbd volumes are refused by design: use the CSI driver rbd.csi.ceph.com",
                "cephfs: {monitors: [m]} | cephfs volumes are refused by design: use the CSI driver cephfs.csi.ceph.com",
                "glusterfs: {endpoints: e, path: p} | glusterfs volumes are refused by design: export the volume by NFS",
                "quobyte: {registry: r, volume: v} | quobyte volumes are refused by design: use the CSI driver csi.quobyte.com",
                "flocker: {datasetName: d} | flocker volumes are refused by design: the project has ended",
                "photonPersistentDisk: {pdID: p} | photonPersistentDisk volumes are refused by design: the platform has ended",
                "scaleIO: {gateway: g, system: s, secretRef: {name: s}} | scaleIO volumes are refused by design: use the CSI driver csi-vxflexos.dellemc.com",
                "gitRepo: {repository: r} | gitRepo volumes are refused by design: use an emptyDir and clone into it",
            })
    void areExplainedWithTheOtherWay(String source, String line) {
        pod(source);
        node.start();
        var waiting = node.agent().whenMounted("a");
        node.settle();

        assertThat(node.explainPod("a").text()).contains(line);
        assertThatThrownBy(() -> node.get(waiting))
                .isInstanceOf(VolumeException.class)
                .hasMessageContaining(line);
        assertThat(node.calls()).isEmpty();
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            value = {
                "awsElasticBlockStore: {volumeID: 'aws://zone/vol-1'} | start the driver ebs.csi.aws.com",
                "gcePersistentDisk: {pdName: d} | start the driver pd.csi.storage.gke.io",
                "vsphereVolume: {volumePath: p} | start the driver csi.vsphere.vmware.com",
            })
    void whatADriverServesInsteadIsWaitedForByItsName(String source, String line) {
        pod(source);
        node.start().settle();

        assertThat(node.explainPod("a").text()).contains(line);
        assertThat(node.calls()).isEmpty();
    }

    private void pod(String source) {
        node.cluster.apply(Manifests.read(
                        "pod.yaml",
                        "{apiVersion: v1, kind: Pod, metadata: {namespace: default, name: a, uid: a}, spec: {nodeName: "
                                + NodeHarness.NODE + ", volumes: [{name: data, " + source
                                + "}], containers: [{name: app, volumeMounts: [{name: data, mountPath: /data}]}]},"
                                + " status: {phase: Pending}}")
                .get(0));
    }
}
