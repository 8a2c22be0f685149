package io.volume4j.core.migration;

import io.volume4j.spi.VolumeException;
import io.volume4j.spi.model.AccessMode;
import io.volume4j.spi.model.CsiSource;
import io.volume4j.spi.model.NodeSelector;
import io.volume4j.spi.model.ObjectMeta;
import io.volume4j.spi.model.ObjectReference;
import io.volume4j.spi.model.OneLine;
import io.volume4j.spi.model.OtherSource;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.PodVolume;
import io.volume4j.spi.model.ReclaimPolicy;
import io.volume4j.spi.model.StorageClass;
import io.volume4j.spi.model.Unmodeled;
import io.volume4j.spi.model.VolumeMode;
import io.volume4j.spi.model.VolumePhase;
import io.volume4j.spi.model.VolumeSource;
import io.volume4j.spi.plugin.VolumeSpec;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Translates in-tree volumes, which Kubernetes once handled itself, to their CSI drivers: AWS EBS, GCE PD, Cinder,
 * Azure Disk, Azure File, vSphere and Portworx. A host can add others. Old manifests keep working, and the library
 * calls the plugin of the driver.
 *
 * <p>Immutable and thread-safe, with pure functions. Returns all other volumes and classes unchanged. If a
 * description cannot be translated, a final {@link VolumeException} says why.
 *
 * @since 0.1.0
 */
public final class CsiMigration {
    private static final Translation CINDER = new Translation(
            "kubernetes.io/cinder",
            "cinder",
            "cinder.csi.openstack.org",
            "volumeID",
            "topology.cinder.csi.openstack.org/zone");

    private static final CsiMigration STANDARD = new CsiMigration(List.of(
            new AwsEbs(),
            new GcePd(),
            new Translated(CINDER),
            new AzureDisk(),
            new AzureFile(),
            new VSphere(),
            new Portworx()));

    /** Annotation of a PersistentVolume that represents an inline volume, and is no object of the cluster. */
    private static final String INLINE = "volume4j.io/inline";

    private final List<InTree> kinds;

    private final Map<String, InTree> byName = new HashMap<>();
    private final Map<String, InTree> bySource = new HashMap<>();
    private final Map<String, InTree> byDriver = new HashMap<>();

    private CsiMigration(List<InTree> kinds) {
        this.kinds = kinds;
        for (InTree kind : kinds) {
            byName.put(kind.name(), kind);
            bySource.put(kind.sourceType(), kind);
            byDriver.put(kind.driver(), kind);
        }
    }

    /** The translation of the seven in-tree kinds of Kubernetes. */
    public static CsiMigration standard() {
        return STANDARD;
    }

    /**
     * The same translation with one more kind.
     * @throws IllegalArgumentException if this translation already contains the plugin, source or driver
     */
    public CsiMigration with(Translation translation) {
        for (InTree kind : kinds) {
            if (kind.name().equals(translation.plugin())
                    || kind.sourceType().equals(translation.source())
                    || kind.driver().equals(translation.driver())) {
                throw new IllegalArgumentException("plugin " + translation.plugin() + ", source " + translation.source()
                        + " or driver " + translation.driver() + " is translated already: " + kind.name() + " and "
                        + kind.sourceType() + " to " + kind.driver());
            }
        }
        List<InTree> more = new ArrayList<>(kinds);
        more.add(new Translated(translation));
        return new CsiMigration(Collections.unmodifiableList(more));
    }

    /** The driver that replaces the in-tree provisioner or plugin of this name ({@code kubernetes.io/gce-pd}). */
    public Optional<String> driverFor(String inTreeName) {
        return Optional.ofNullable(byName.get(inTreeName)).map(InTree::driver);
    }

    /** The driver that replaces this in-tree source. */
    public Optional<String> driverFor(VolumeSource source) {
        return kindOf(source).map(InTree::driver);
    }

    /** The name of the in-tree plugin that the driver replaces. */
    public Optional<String> inTreeNameFor(String driver) {
        return ofDriver(driver).map(InTree::name);
    }

    /** The name of the driver for an in-tree name; any other name unchanged. */
    public String current(String provisioner) {
        return driverFor(provisioner).orElse(provisioner);
    }

    // Volumes.

    /** The volume in the form of its driver: source, access modes and node affinity. */
    public PersistentVolume toCsi(PersistentVolume volume) {
        Optional<InTree> kind = kindOf(volume.spec().source());
        if (kind.isEmpty() || !(volume.spec().source() instanceof OtherSource source)) {
            return volume;
        }
        InTree from = kind.get();
        PersistentVolume.Spec spec = volume.spec();
        @Nullable ObjectReference claim = spec.claimRef();
        InTree.Around around = new InTree.Around(volume.metadata(), claim == null ? "" : claim.namespace(), false);
        @Nullable
        NodeSelector affinity = from.translatesPlace()
                ? Places.toCsi(spec.nodeAffinity(), volume.metadata().labels(), from.topologyKey())
                : spec.nodeAffinity();
        return with(
                volume,
                volume.metadata(),
                new PersistentVolume.Spec(
                        spec.capacity(),
                        from.modes(spec.accessModes()),
                        spec.reclaimPolicy(),
                        spec.storageClassName(),
                        spec.volumeMode(),
                        spec.claimRef(),
                        spec.mountOptions(),
                        affinity,
                        spec.volumeAttributesClassName(),
                        from.toCsi(source, around)));
    }

    /** The volume of one of these drivers in its in-tree form. */
    public PersistentVolume toInTree(PersistentVolume volume) {
        if (!(volume.spec().source() instanceof CsiSource source)) {
            return volume;
        }
        Optional<InTree> kind = ofDriver(source.driver());
        if (kind.isEmpty()) {
            return volume;
        }
        InTree to = kind.get();
        PersistentVolume.Spec spec = volume.spec();
        InTree.Around around = new InTree.Around(volume.metadata(), "", false);
        @Nullable
        NodeSelector affinity =
                to.translatesPlace() ? Places.toInTree(spec.nodeAffinity(), to.topologyKey()) : spec.nodeAffinity();
        ObjectMeta meta = volume.metadata();
        if (to.translatesPlace()) {
            meta = meta.withLabels(Places.labels(meta.labels(), affinity, to::regionOf));
        }
        for (Map.Entry<String, String> annotation : new TreeMap<>(to.inTreeAnnotations(source)).entrySet()) {
            meta = meta.withAnnotation(annotation.getKey(), annotation.getValue());
        }
        return with(
                volume,
                meta,
                new PersistentVolume.Spec(
                        spec.capacity(),
                        spec.accessModes(),
                        spec.reclaimPolicy(),
                        spec.storageClassName(),
                        spec.volumeMode(),
                        spec.claimRef(),
                        spec.mountOptions(),
                        affinity,
                        spec.volumeAttributesClassName(),
                        to.toInTree(source, around)));
    }

    /**
     * A PersistentVolume for a volume that a pod describes inline; empty if its source is not one of these kinds.
     * @param namespace the namespace of the pod
     */
    public Optional<PersistentVolume> ofInline(PodVolume volume, String namespace) {
        Optional<InTree> kind = kindOf(volume.source());
        if (kind.isEmpty() || !(volume.source() instanceof OtherSource source)) {
            return Optional.empty();
        }
        InTree from = kind.get();
        InTree.Around around = new InTree.Around(ObjectMeta.named("", volume.name()), namespace, true);
        CsiSource csi = from.toCsi(source, around);
        return Optional.of(pseudo(csi, from.inlineModes(csi)));
    }

    // Specs.

    /** The volume as a plugin gets it. */
    public VolumeSpec spec(PersistentVolume volume, boolean readOnly) {
        PersistentVolume csi = toCsi(volume);
        return new VolumeSpec(
                csi.metadata().name(),
                csi.spec().source(),
                csi,
                readOnly,
                driverFor(volume.spec().source()).isPresent());
    }

    /**
     * A pod's inline volume as a plugin gets it, with the pod's name for the volume.
     *
     * @throws VolumeException final, if the volume cannot be translated, or has a {@link CsiSource#volumeHandle()}
     */
    public VolumeSpec spec(PodVolume volume, String namespace) {
        requireNoHandle(volume);
        return ofInline(volume, namespace)
                .map(pseudo -> new VolumeSpec(
                        volume.name(),
                        pseudo.spec().source(),
                        pseudo,
                        pseudo.spec().source() instanceof CsiSource csi && csi.readOnly(),
                        true))
                .orElseGet(() -> VolumeSpec.inline(volume));
    }

    /**
     * API servers drop the handle of a pod's own CSI volume; other sources of pods do not. With it a user who may create
     * pods in one namespace could use the volumes of all.
     */
    private static void requireNoHandle(PodVolume volume) {
        if (volume.source() instanceof CsiSource csi && !csi.volumeHandle().isEmpty()) {
            throw VolumeException.finalFailure("inline volume " + OneLine.name(volume.name())
                            + " names an existing volume of driver " + OneLine.name(csi.driver())
                            + " by volumeHandle, which only a PersistentVolume may do")
                    .withAdvice("let the pod name a claim of the volume, or leave out volumeHandle");
        }
    }

    /**
     * The volume of a VolumeAttachment for such an inline volume; empty for any other. Its access modes follow from the source: the
     * record says only whether several nodes may have the volume.
     */
    public Optional<VolumeSpec> spec(String name, PersistentVolume.Spec inline) {
        if (!(inline.source() instanceof CsiSource csi) || csi.volumeHandle().isEmpty()) {
            return Optional.empty();
        }
        return ofDriver(csi.driver())
                .map(kind -> new VolumeSpec(name, csi, pseudo(csi, kind.inlineModes(csi)), csi.readOnly(), true));
    }

    /** Whether a pod describes the volume inline, so that there is no PersistentVolume object. */
    public static boolean inline(VolumeSpec spec) {
        @Nullable PersistentVolume volume = spec.persistentVolume();
        return volume == null || volume.metadata().annotations().containsKey(INLINE);
    }

    /**
     * As {@link #spec(PersistentVolume, boolean)}, but returns a volume that cannot be translated unchanged; then no
     * plugin handles it.
     */
    public VolumeSpec specIfPossible(PersistentVolume volume, boolean readOnly) {
        try {
            return spec(volume, readOnly);
        } catch (VolumeException untranslatable) {
            return VolumeSpec.of(volume, readOnly);
        }
    }

    // Classes.

    /** The class in the form of the driver: provisioner, parameters and allowed topologies. */
    public StorageClass toCsi(StorageClass storageClass) {
        for (InTree kind : kinds) {
            if (kind.name().equals(storageClass.provisioner())) {
                return kind.toCsi(storageClass);
            }
        }
        return storageClass;
    }

    /**
     * As {@link #toCsi(StorageClass)}, but returns a class that cannot be translated unchanged; see {@link #problem}.
     */
    public StorageClass toCsiIfPossible(StorageClass storageClass) {
        try {
            return toCsi(storageClass);
        } catch (VolumeException untranslatable) {
            return storageClass;
        }
    }

    /** Why the class cannot be translated. Empty if it can be, or if it needs no translation. */
    public Optional<String> problem(StorageClass storageClass) {
        try {
            toCsi(storageClass);
            return Optional.empty();
        } catch (VolumeException untranslatable) {
            return Optional.of(untranslatable.getMessage());
        }
    }

    // Handles.

    /**
     * The complete handle of a volume. Parts that the in-tree source did not contain come from the driver's id of the
     * node that uses the volume. Returns the same handle for drivers whose handles are always complete.
     */
    public static String repairedHandle(String driver, String volumeHandle, String nodeId) {
        return driver.equals("pd.csi.storage.gke.io") ? GcePd.repaired(volumeHandle, nodeId) : volumeHandle;
    }

    private static PersistentVolume pseudo(CsiSource csi, List<AccessMode> modes) {
        return new PersistentVolume(
                ObjectMeta.named("", csi.driver() + "-" + csi.volumeHandle()).withAnnotation(INLINE, "true"),
                new PersistentVolume.Spec(
                        null, modes, ReclaimPolicy.RETAIN, "", VolumeMode.FILESYSTEM, null, List.of(), null, "", csi),
                new PersistentVolume.Status(VolumePhase.NONE, "", ""),
                Unmodeled.none());
    }

    private static PersistentVolume with(PersistentVolume volume, ObjectMeta meta, PersistentVolume.Spec spec) {
        return new PersistentVolume(meta, spec, volume.status(), Unmodeled.none());
    }

    private Optional<InTree> kindOf(VolumeSource source) {
        return source instanceof OtherSource other ? Optional.ofNullable(bySource.get(other.type())) : Optional.empty();
    }

    private Optional<InTree> ofDriver(String driver) {
        return Optional.ofNullable(byDriver.get(driver));
    }
}
