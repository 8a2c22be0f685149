package io.volume4j.core.migration;

import io.volume4j.spi.model.CsiSource;
import io.volume4j.spi.model.OtherSource;
import io.volume4j.spi.model.StorageClass;
import java.util.Map;
import java.util.Set;

/** vSphere disks. The driver accepts most of the in-tree parameters under other names, and ignores unknown ones. */
final class VSphere extends InTree {
    private static final String POLICY = "storagepolicyname";
    private static final Set<String> RENAMED = Set.of(
            "datastore",
            "diskformat",
            "hostfailurestotolerate",
            "forceprovisioning",
            "cachereservation",
            "diskstripes",
            "objectspacereservation",
            "iopslimit");

    VSphere() {
        super("kubernetes.io/vsphere-volume", "vsphereVolume", "csi.vsphere.vmware.com", Places.ZONE);
    }

    @Override
    CsiSource toCsi(OtherSource source, Around around) {
        String path = Fields.text(source, "volumePath");
        if (path.isEmpty()) {
            throw invalid("of volume " + around.meta().name(), "it names no volumePath");
        }
        String policy = Fields.text(source, "storagePolicyName");
        return new CsiSource(
                driver(),
                path,
                false,
                Fields.text(source, "fsType"),
                policy.isEmpty() ? Map.of() : Map.of(POLICY, policy),
                null,
                null,
                null,
                null,
                null);
    }

    @Override
    OtherSource toInTree(CsiSource source, Around around) {
        return new Fields.Building(sourceType())
                .text("volumePath", source.volumeHandle())
                .text("fsType", source.fsType())
                .text("storagePolicyName", source.volumeAttributes().getOrDefault(POLICY, ""))
                .build();
    }

    @Override
    void parameter(String word, String key, String value, Map<String, String> parameters) {
        if (word.equals("fstype")) {
            parameters.put(FS_TYPE, value);
        } else if (word.equals(POLICY)) {
            parameters.put(POLICY, value);
        } else if (RENAMED.contains(word)) {
            parameters.put(word + "-migrationparam", value);
        }
    }

    @Override
    void addParameters(StorageClass storageClass, Map<String, String> parameters) {
        parameters.put("csimigration", "true");
    }
}
