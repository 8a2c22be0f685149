package io.volume4j.csi;

import io.volume4j.spi.CallContext;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.host.ClusterSource;
import io.volume4j.spi.host.Selection;
import io.volume4j.spi.model.ClaimPhase;
import io.volume4j.spi.model.CsiSource;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.PersistentVolumeClaim;
import io.volume4j.spi.model.StorageClass;
import io.volume4j.spi.plugin.Inventory.Holdings;
import io.volume4j.spi.plugin.VolumePlugin;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Compares what a driver lists with what the cluster knows, to find volumes that leaked: made by a provisioner that lost
 * its memory, by a driver that makes two for one name, or by hand. The backend is asked first and the cluster afterwards,
 * so that a volume whose object is stored meanwhile is not taken for an orphan.
 */
public final class CsiAudit {
    private CsiAudit() {}

    /**
     * Looks once; blocks.
     *
     * @param previous what was found before, null at the first time; an orphan is confirmed by a second finding
     * @throws VolumeException if the driver cannot list its volumes or does not answer
     */
    public static CsiAuditReport run(
            VolumePlugin plugin, ClusterSource cluster, @Nullable CsiAuditReport previous, CallContext context) {
        Holdings holdings = plugin.inventory()
                .orElseThrow(() -> VolumeException.finalFailure("driver " + plugin.name() + " cannot list its volumes"))
                .list(context);
        boolean making = making(plugin.name(), cluster);
        List<PersistentVolume> known = volumes(plugin.name(), cluster);
        SortedMap<String, Long> orphans = new TreeMap<>();
        holdings.volumes().forEach(held -> orphans.put(held.handle(), held.capacityBytes()));
        Set<String> listed = new HashSet<>(orphans.keySet());
        List<String> missing = new ArrayList<>();
        for (PersistentVolume volume : known) {
            String handle = ((CsiSource) volume.spec().source()).volumeHandle();
            orphans.remove(handle);
            if (holdings.complete() && !listed.contains(handle)) {
                missing.add(volume.metadata().name());
            }
        }
        List<String> confirmed = new ArrayList<>();
        if (previous != null && !previous.making() && !making) {
            orphans.keySet().stream()
                    .filter(handle -> previous.orphans().containsKey(handle))
                    .forEach(confirmed::add);
        }
        return new CsiAuditReport(plugin.name(), orphans, confirmed, missing, holdings.complete(), making);
    }

    private static List<PersistentVolume> volumes(String driver, ClusterSource cluster) {
        return cluster.list(Kind.PERSISTENT_VOLUME, Selection.all()).objects().stream()
                .map(PersistentVolume.class::cast)
                .filter(volume -> volume.spec().source() instanceof CsiSource csi
                        && csi.driver().equals(driver))
                .toList();
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
