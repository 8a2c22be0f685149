package io.volume4j.core.migration;

import io.volume4j.spi.VolumeException;
import io.volume4j.spi.model.AccessMode;
import io.volume4j.spi.model.CsiSource;
import io.volume4j.spi.model.ObjectMeta;
import io.volume4j.spi.model.OtherSource;
import io.volume4j.spi.model.StorageClass;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** One kind of storage that moved into a driver. Stateless. */
abstract class InTree {
    static final String FS_TYPE = "csi.storage.k8s.io/fstype";

    private final String name;
    private final String sourceType;
    private final String driver;

    /** Label by which the driver says where a volume is, {@code ""} for one that does not. */
    private final String topologyKey;

    InTree(String name, String sourceType, String driver, String topologyKey) {
        this.name = name;
        this.sourceType = sourceType;
        this.driver = driver;
        this.topologyKey = topologyKey;
    }

    /** The old name of the provisioner and plugin: {@code kubernetes.io/…}. */
    final String name() {
        return name;
    }

    /** Key of the source in manifests. */
    final String sourceType() {
        return sourceType;
    }

    final String driver() {
        return driver;
    }

    final String topologyKey() {
        return topologyKey;
    }

    /**
     * What is around a source.
     *
     * @param meta of the volume; for a pod's inline volume only a name
     * @param namespace where secrets are that the source names without a namespace, {@code ""} if that is not known
     */
    record Around(ObjectMeta meta, String namespace, boolean inline) {}

    abstract CsiSource toCsi(OtherSource source, Around around);

    abstract OtherSource toInTree(CsiSource source, Around around);

    /** Access modes as the driver means them; the same both ways unless a kind says otherwise. */
    List<AccessMode> modes(List<AccessMode> inTree) {
        return inTree;
    }

    List<AccessMode> inlineModes() {
        return List.of(AccessMode.READ_WRITE_ONCE);
    }

    /** Whether the place of a volume is said in the driver's own words. */
    boolean translatesPlace() {
        return !topologyKey.isEmpty();
    }

    /** The same for the places that a class allows. */
    boolean translatesClassPlace() {
        return !topologyKey.isEmpty();
    }

    /** Annotations that the in-tree form of a volume needs besides. */
    Map<String, String> inTreeAnnotations(CsiSource source) {
        return Map.of();
    }

    /** The region of a zone, {@code ""} where zones do not tell. */
    String regionOf(String zone) {
        return "";
    }

    StorageClass toCsi(StorageClass storageClass) {
        Map<String, String> parameters = new LinkedHashMap<>();
        Places.Zones zones = new Places.Zones();
        storageClass.parameters().forEach((key, value) -> {
            String word = key.toLowerCase(Locale.ROOT);
            if (!zones.take(word, value, this)) {
                parameter(word, key, value, parameters);
            }
        });
        addParameters(storageClass, parameters);
        return new StorageClass(
                storageClass.metadata(),
                driver,
                parameters,
                storageClass.reclaimPolicy(),
                storageClass.mountOptions(),
                storageClass.allowVolumeExpansion(),
                storageClass.volumeBindingMode(),
                zones.topologies(storageClass, this),
                storageClass.unmodeled());
    }

    /** One parameter of a class; by default only the file system's type has another name. */
    void parameter(String word, String key, String value, Map<String, String> parameters) {
        parameters.put(word.equals("fstype") ? FS_TYPE : key, value);
    }

    /** Parameters that no other parameter stands for. */
    void addParameters(StorageClass storageClass, Map<String, String> parameters) {
        // none
    }

    /** Whether {@code zone} and {@code zones} of a class say where volumes are made. */
    boolean zonesInParameters() {
        return false;
    }

    /** A zone as the driver calls it. */
    String zone(String inTree) {
        return inTree;
    }

    final VolumeException invalid(String what, String why) {
        return VolumeException.finalFailure(
                sourceType + " " + what + " cannot be translated for the driver " + driver + ": " + why);
    }
}
