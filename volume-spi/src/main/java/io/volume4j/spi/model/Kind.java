package io.volume4j.spi.model;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * The kinds of API objects that volume4j reads and writes, with their names in manifests.
 *
 * @since 0.1.0
 */
public enum Kind {
    POD("v1", "Pod", true),
    NODE("v1", "Node", false),
    PERSISTENT_VOLUME("v1", "PersistentVolume", false),
    PERSISTENT_VOLUME_CLAIM("v1", "PersistentVolumeClaim", true),
    STORAGE_CLASS("storage.k8s.io/v1", "StorageClass", false),
    VOLUME_ATTACHMENT("storage.k8s.io/v1", "VolumeAttachment", false),
    CSI_DRIVER("storage.k8s.io/v1", "CSIDriver", false),
    CSI_NODE("storage.k8s.io/v1", "CSINode", false),
    CSI_STORAGE_CAPACITY("storage.k8s.io/v1", "CSIStorageCapacity", true),
    VOLUME_POPULATOR("populator.storage.k8s.io/v1beta1", "VolumePopulator", false),
    REFERENCE_GRANT("gateway.networking.k8s.io/v1beta1", "ReferenceGrant", true, "v1", "v1alpha2"),
    VOLUME_ATTRIBUTES_CLASS("storage.k8s.io/v1", "VolumeAttributesClass", false, "v1beta1", "v1alpha1"),
    VOLUME_SNAPSHOT("snapshot.storage.k8s.io/v1", "VolumeSnapshot", true),
    VOLUME_SNAPSHOT_CONTENT("snapshot.storage.k8s.io/v1", "VolumeSnapshotContent", false),
    VOLUME_SNAPSHOT_CLASS("snapshot.storage.k8s.io/v1", "VolumeSnapshotClass", false),
    VOLUME_GROUP_SNAPSHOT("groupsnapshot.storage.k8s.io/v1beta2", "VolumeGroupSnapshot", true, "v1", "v1beta1"),
    VOLUME_GROUP_SNAPSHOT_CONTENT(
            "groupsnapshot.storage.k8s.io/v1beta2", "VolumeGroupSnapshotContent", false, "v1", "v1beta1"),
    VOLUME_GROUP_SNAPSHOT_CLASS(
            "groupsnapshot.storage.k8s.io/v1beta2", "VolumeGroupSnapshotClass", false, "v1", "v1beta1"),
    LEASE("coordination.k8s.io/v1", "Lease", true),
    EVENT("events.k8s.io/v1", "Event", true),
    VOLUME_MOVE("volume4j.io/v1alpha1", "VolumeMove", true);

    private final String apiVersion;
    private final String apiName;
    private final boolean namespaced;

    @SuppressWarnings("ImmutableEnumChecker") // always a List.of or a copy
    private final List<String> apiVersions;

    /** @param others versions of the same group in which such objects are read as well */
    Kind(String apiVersion, String apiName, boolean namespaced, String... others) {
        this.apiVersion = apiVersion;
        this.apiName = apiName;
        this.namespaced = namespaced;
        String group = apiVersion.substring(0, apiVersion.indexOf('/') + 1);
        List<String> all = new ArrayList<>(List.of(apiVersion));
        for (String other : others) {
            all.add(group + other);
        }
        this.apiVersions = Collections.unmodifiableList(all);
    }

    /**
     * Every {@code apiVersion} that the library can read, all of the same group. The first is {@link #apiVersion()},
     * in which it writes new objects. The others follow in the order in which to try them with a server that does not
     * have the first.
     */
    public List<String> apiVersions() {
        return apiVersions;
    }

    /** The {@code apiVersion} of a manifest. */
    public String apiVersion() {
        return apiVersion;
    }

    /** The {@code kind} of a manifest, such as {@code PersistentVolumeClaim}. */
    public String apiName() {
        return apiName;
    }

    /** Whether objects of this kind live in a namespace. */
    public boolean namespaced() {
        return namespaced;
    }
}
