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

/** One in-tree kind of storage that a CSI driver replaced. Stateless. */
abstract class InTree {
    static final String FS_TYPE = "csi.storage.k8s.io/fstype";

    private final String name;
    private final String sourceType;
    private final String driver;

    /** The driver's topology label, {@code ""} for a driver without topology. */
    private final String topologyKey;

    InTree(String name, String sourceType, String driver, String topologyKey) {
        this.name = name;
        this.sourceType = sourceType;
        this.driver = driver;
        this.topologyKey = topologyKey;
    }

    /** The in-tree name of the provisioner and plugin: {@code kubernetes.io/…}. */
    final String name() {
        return name;
    }

    /** The key of the source in manifests. */
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
     * The context of a source.
     *
     * @param meta of the volume; for a pod's inline volume only a name
     * @param namespace the namespace of secrets without one, {@code ""} if unknown
     */
    record Around(ObjectMeta meta, String namespace, boolean inline) {}

    abstract CsiSource toCsi(OtherSource source, Around around);

    abstract OtherSource toInTree(CsiSource source, Around around);

    /** The driver's access modes; the same in both directions for most kinds. */
    List<AccessMode> modes(List<AccessMode> inTree) {
        return inTree;
    }

    /** The modes of an inline volume that many nodes may have if all of them only read it. */
    static List<AccessMode> readersOrOneWriter(CsiSource source) {
        return List.of(source.readOnly() ? AccessMode.READ_ONLY_MANY : AccessMode.READ_WRITE_ONCE);
    }

    /** The access modes of a volume that a pod describes inline. */
    List<AccessMode> inlineModes(CsiSource source) {
        return List.of(AccessMode.READ_WRITE_ONCE);
    }

    /** Whether the topology of a volume needs a translation to the driver's label. */
    boolean translatesPlace() {
        return !topologyKey.isEmpty();
    }

    /** The same for the allowed topologies of a class. */
    boolean translatesClassPlace() {
        return !topologyKey.isEmpty();
    }

    /** Additional annotations of the in-tree form of a volume. */
    Map<String, String> inTreeAnnotations(CsiSource source) {
        return Map.of();
    }

    /** The region of a zone, {@code ""} if the zone does not contain it. */
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

    /** Translates one parameter of a class. By default, only the filesystem type gets another name. */
    void parameter(String word, String key, String value, Map<String, String> parameters) {
        parameters.put(word.equals("fstype") ? FS_TYPE : key, value);
    }

    /** Adds parameters that no in-tree parameter corresponds to. */
    void addParameters(StorageClass storageClass, Map<String, String> parameters) {
        // none
    }

    /** Whether the parameters {@code zone} and {@code zones} of a class select the zones of its volumes. */
    boolean zonesInParameters() {
        return false;
    }

    /** The driver's name of a zone. */
    String zone(String inTree) {
        return inTree;
    }

    final VolumeException invalid(String what, String why) {
        return VolumeException.finalFailure(
                sourceType + " " + what + " cannot be translated for the driver " + driver + ": " + why);
    }
}
