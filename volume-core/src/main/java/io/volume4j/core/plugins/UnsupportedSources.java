package io.volume4j.core.plugins;

import io.volume4j.core.plugins.common.MessageText;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.model.VolumeSource;
import io.volume4j.spi.plugin.VolumeSpec;
import java.util.Map;
import java.util.Optional;

/**
 * Volume sources that no plugin of this library will ever mount, with an alternative for each.
 *
 * <p>Some are refused by design: their projects have ended, or they execute foreign content on the machine, as
 * gitRepo did (CVE-2024-10220). CSI drivers handle the others. Pure.
 *
 * @since 0.1.0
 */
public final class UnsupportedSources {
    private static final Map<String, String> REFUSED = Map.of(
            "rbd", "use the CSI driver rbd.csi.ceph.com",
            "cephfs", "use the CSI driver cephfs.csi.ceph.com",
            "glusterfs", "export the volume by NFS and use the source nfs",
            "quobyte", "use the CSI driver csi.quobyte.com",
            "flocker", "the project has ended: copy the data to a volume of a CSI driver",
            "photonPersistentDisk", "the platform has ended: use the CSI driver csi.vsphere.vmware.com",
            "scaleIO", "use the CSI driver csi-vxflexos.dellemc.com",
            "storageos", "the project has ended: copy the data to a volume of a CSI driver",
            "gitRepo", "use an emptyDir and clone into it from an init container");

    private static final Map<String, String> DRIVERS = Map.of(
            "awsElasticBlockStore", "ebs.csi.aws.com",
            "gcePersistentDisk", "pd.csi.storage.gke.io",
            "cinder", "cinder.csi.openstack.org",
            "azureDisk", "disk.csi.azure.com",
            "azureFile", "file.csi.azure.com",
            "vsphereVolume", "csi.vsphere.vmware.com",
            "portworxVolume", "pxd.portworx.com");

    private UnsupportedSources() {}

    /**
     * Why the library does not mount such a source, and what to do, in one line. Empty for a source that is not in
     * this list.
     */
    public static Optional<String> explain(VolumeSource source) {
        String type = source.type();
        String way = REFUSED.get(type);
        if (way != null) {
            return Optional.of(type + " volumes are refused by design: " + way);
        }
        String driver = DRIVERS.get(type);
        return driver == null
                ? Optional.empty()
                : Optional.of(type + " needs CSI translation to driver " + driver
                        + ": write the volume as csi with that driver");
    }

    static Optional<VolumeException> failure(VolumeSpec spec) {
        return explain(spec.source())
                .map(line -> VolumeException.finalFailure("volume " + MessageText.text(spec.name()) + ": " + line));
    }
}
