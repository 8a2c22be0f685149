package io.volume4j.csi;

import io.volume4j.core.volumes.NodeVolumeNames;
import io.volume4j.spi.CallContext;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.host.ClusterSource;
import io.volume4j.spi.host.Selection;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.ClaimPhase;
import io.volume4j.spi.model.CsiSource;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.Node;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.PersistentVolumeClaim;
import io.volume4j.spi.model.StorageClass;
import io.volume4j.spi.model.VolumeAttachment;
import io.volume4j.spi.plugin.Inventory;
import io.volume4j.spi.plugin.VolumePlugin;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Compares the volumes that a driver lists with the cluster's objects, to find leaked volumes. Such volumes come from
 * a provisioner that lost its state, from a driver that creates two volumes for one name, or from a person. The audit
 * reads the cluster before and after it reads the backend. It reads the cluster first so that it keeps in memory only
 * volumes that the cluster does not know. It reads the cluster again so that a volume whose object was stored during
 * the audit is not reported as an orphan.
 *
 * @since 0.1.0
 */
public final class CsiAudit {
    /** Orphans whose handles are longer than this together (in characters) are not all reported. */
    static final long MAX_ORPHAN_CHARS = 16L << 20;

    private CsiAudit() {}

    /**
     * Runs one audit. Blocks.
     * @param previous the report of the previous audit, null for the first; an orphan is confirmed if both audits
     *     find it
     * @throws VolumeException if the driver cannot list its volumes or does not answer
     */
    public static CsiAuditReport run(
            VolumePlugin plugin, ClusterSource cluster, @Nullable CsiAuditReport previous, CallContext context) {
        Inventory inventory = plugin.inventory()
                .orElseThrow(
                        () -> VolumeException.finalFailure("driver " + plugin.name() + " cannot list its volumes"));
        Set<String> known = volumes(plugin.name(), cluster).keySet();
        Set<String> listed = new HashSet<>();
        SortedMap<String, Long> orphans = new TreeMap<>();
        long[] chars = {0};
        boolean complete = inventory.each(
                held -> {
                    if (known.contains(held.handle())) {
                        listed.add(held.handle());
                    } else if (orphans.put(held.handle(), held.capacityBytes()) == null) {
                        chars[0] += held.handle().length();
                    }
                    return chars[0] <= MAX_ORPHAN_CHARS;
                },
                context);
        boolean making = making(plugin.name(), cluster);
        List<String> missing = new ArrayList<>();
        volumes(plugin.name(), cluster).forEach((handle, names) -> {
            boolean there = orphans.remove(handle) != null || listed.contains(handle);
            if (complete && !there) {
                missing.addAll(names);
            }
        });
        orphans.keySet().removeAll(inUse(plugin.name(), cluster));
        List<String> confirmed = new ArrayList<>();
        if (previous != null && !previous.making() && !making) {
            orphans.keySet().stream()
                    .filter(handle -> previous.orphans().containsKey(handle))
                    .forEach(confirmed::add);
        }
        return new CsiAuditReport(plugin.name(), orphans, confirmed, missing, complete, making);
    }

    /** The names of the driver's volumes by their handles, in the order of the names. */
    private static Map<String, List<String>> volumes(String driver, ClusterSource cluster) {
        Map<String, List<String>> names = new LinkedHashMap<>();
        for (ApiObject object :
                cluster.list(Kind.PERSISTENT_VOLUME, Selection.all()).objects()) {
            if (object instanceof PersistentVolume volume
                    && volume.spec().source() instanceof CsiSource csi
                    && csi.driver().equals(driver)) {
                names.computeIfAbsent(csi.volumeHandle(), handle -> new ArrayList<>())
                        .add(volume.metadata().name());
            }
        }
        return names;
    }

    /** The driver's handles that nodes report as attached or in use, and those that VolumeAttachments name. */
    private static Set<String> inUse(String driver, ClusterSource cluster) {
        Set<String> handles = new HashSet<>();
        for (ApiObject object : cluster.list(Kind.NODE, Selection.all()).objects()) {
            Node.Status status = ((Node) object).status();
            Stream.concat(
                            status.volumesInUse().stream(),
                            status.volumesAttached().stream().map(Node.AttachedVolume::name))
                    .flatMap(name -> NodeVolumeNames.parse(name).stream())
                    .filter(id -> id.plugin().equals(driver))
                    .forEach(id -> handles.add(id.name()));
        }
        for (ApiObject object :
                cluster.list(Kind.VOLUME_ATTACHMENT, Selection.all()).objects()) {
            VolumeAttachment.Spec spec = ((VolumeAttachment) object).spec();
            handles.add(spec.persistentVolumeName());
            if (spec.inlineSource() instanceof CsiSource csi && csi.driver().equals(driver)) {
                handles.add(csi.volumeHandle());
            }
        }
        return handles;
    }

    /** Whether a claim may be getting a volume of the driver right now. */
    private static boolean making(String driver, ClusterSource cluster) {
        Set<String> classes = new HashSet<>();
        cluster.list(Kind.STORAGE_CLASS, Selection.all()).objects().stream()
                .map(StorageClass.class::cast)
                .filter(storageClass -> storageClass.provisioner().equals(driver))
                .forEach(storageClass -> classes.add(storageClass.metadata().name()));
        return cluster.list(Kind.PERSISTENT_VOLUME_CLAIM, Selection.all()).objects().stream()
                .map(PersistentVolumeClaim.class::cast)
                .anyMatch(claim -> claim.status().phase() != ClaimPhase.BOUND
                        && (claim.classUnset() || classes.contains(claim.className())));
    }
}
