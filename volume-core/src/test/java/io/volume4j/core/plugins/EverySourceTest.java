package io.volume4j.core.plugins;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.volume4j.core.codec.Manifests;
import io.volume4j.spi.FailureKind;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.model.Pod;
import io.volume4j.spi.plugin.VolumeSpec;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Every plugin that the kubelet of old was built with, by its source in a manifest: it is read and written back as it was,
 * and either a plugin takes it or one line says what to take in its place.
 */
class EverySourceTest {
    private static final String PLUGIN = "plugin";
    private static final String REFUSED = "refused";

    private final PluginRegistry registry = PluginRegistry.builder(DefaultPluginHost.builder(Given.ROOT)
                    .nodeName("node-1")
                    .mounts(new FakeMachine())
                    .build())
            .defaults(VolumePlugins.defaultPlugins())
            .plugin(new NamedPlugin("example.com/lvm", "flexVolume"))
            .build();

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "aws_ebs | awsElasticBlockStore: {volumeID: vol-1, partition: 1, fsType: ext4} | driver | ebs.csi.aws.com",
                "empty_dir | emptyDir: {medium: Memory, sizeLimit: 1Gi} | plugin | kubernetes.io/empty-dir",
                "gce_pd | gcePersistentDisk: {pdName: d, readOnly: true} | driver | pd.csi.storage.gke.io",
                "git_repo | gitRepo: {repository: 'https://example.com/r.git', revision: abc} | refused | init container",
                "host_path | hostPath: {path: /data, type: Directory} | plugin | kubernetes.io/host-path",
                "nfs | nfs: {server: files, path: /export, readOnly: true} | plugin | kubernetes.io/nfs",
                "secret | secret: {secretName: s, defaultMode: 256} | plugin | kubernetes.io/secret",
                "iscsi | iscsi: {targetPortal: '10.0.0.1:3260', iqn: 'iqn.2001-04.com.example:d', lun: 0, portals: ['10.0.0.2:3260'],"
                        + " iscsiInterface: default, fsType: ext4, readOnly: true, chapAuthDiscovery: true, chapAuthSession: true,"
                        + " secretRef: {name: chap}, initiatorName: 'iqn.2001-04.com.example:n'} | plugin | kubernetes.io/iscsi",
                "glusterfs | glusterfs: {endpoints: e, path: p} | refused | NFS",
                "rbd | rbd: {monitors: ['10.0.0.1:6789'], image: i, secretRef: {name: s}} | refused | rbd.csi.ceph.com",
                "cinder | cinder: {volumeID: v, fsType: ext4} | driver | cinder.csi.openstack.org",
                "quobyte | quobyte: {registry: 'r:7861', volume: v} | refused | csi.quobyte.com",
                "cephfs | cephfs: {monitors: ['10.0.0.1:6789'], path: /p} | refused | cephfs.csi.ceph.com",
                "downwardapi | downwardAPI: {items: [{path: l, fieldRef: {fieldPath: metadata.labels}}]} | plugin | kubernetes.io/downward-api",
                "fc by ports | fc: {targetWWNs: [500a0982991b8dc5], lun: 2, fsType: xfs, readOnly: true} | plugin | kubernetes.io/fc",
                "fc by identifiers | fc: {wwids: [3600508b400105e210000900000490000]} | plugin | kubernetes.io/fc",
                "flocker | flocker: {datasetName: d} | refused | has ended",
                "flexvolume | flexVolume: {driver: example.com/lvm, fsType: ext4, options: {volumeID: v}, secretRef: {name: s}} | plugin | example.com/lvm",
                "azure_file | azureFile: {secretName: s, shareName: n} | driver | file.csi.azure.com",
                "configmap | configMap: {name: c, optional: true} | plugin | kubernetes.io/configmap",
                "vsphere_volume | vsphereVolume: {volumePath: '[DS] dir/disk'} | driver | csi.vsphere.vmware.com",
                "azure_dd | azureDisk: {diskName: d, diskURI: 'https://example.com/d.vhd', kind: Managed} | driver | disk.csi.azure.com",
                "photon_pd | photonPersistentDisk: {pdID: p} | refused | csi.vsphere.vmware.com",
                "projected | projected: {sources: [{secret: {name: s}}, {configMap: {name: c}}]} | plugin | kubernetes.io/projected",
                "portworx | portworxVolume: {volumeID: v} | driver | pxd.portworx.com",
                "scaleio | scaleIO: {gateway: 'https://g', system: s, secretRef: {name: s}, volumeName: v} | refused | csi-vxflexos.dellemc.com",
            })
    void isReadWrittenBackAndTakenOrExplained(String plugin, String source, String way, String who) {
        String manifest =
                "{apiVersion: v1, kind: Pod, metadata: {name: p, namespace: default, uid: u}, spec: {volumes: [{name: data, "
                        + source + "}], containers: []}}";
        Pod pod = (Pod) Manifests.read("pod.yaml", manifest).get(0);

        assertThat(Manifests.read("again.yaml", Manifests.toYaml(pod))).containsExactly(pod);
        assertThat(Manifests.read("again.json", Manifests.toJson(pod))).containsExactly(pod);
        assertThat(Manifests.toTree(pod)).isEqualTo(Manifests.toTree((Pod) Manifests.fromTree(Manifests.toTree(pod))));

        VolumeSpec spec = VolumeSpec.inline(pod.spec().volumes().get(0));
        if (way.equals(PLUGIN)) {
            assertThat(registry.find(spec).name()).as(plugin).isEqualTo(who);
            assertThat(UnsupportedSources.explain(spec.source())).isEmpty();
            return;
        }
        VolumeException failure = catchThrowableOfType(VolumeException.class, () -> registry.find(spec));
        assertThat(failure.kind()).isEqualTo(FailureKind.FINAL);
        assertThat(failure.getMessage() + failure.advice()).contains(who).doesNotContain("\n");
        if (way.equals(REFUSED)) {
            assertThat(UnsupportedSources.explain(spec.source()))
                    .hasValueSatisfying(line -> assertThat(line).contains("refused by design", who));
        }
    }
}
