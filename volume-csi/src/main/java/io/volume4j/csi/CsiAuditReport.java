package io.volume4j.csi;

import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What a driver holds against what the cluster knows. Nothing is done about it: a volume that no object names may hold
 * the only copy of a user's data.
 *
 * @param driver whose volumes
 * @param orphans volumes of the backend that no PersistentVolume names, each with its size in bytes (0 where the driver
 *     does not say)
 * @param confirmed the orphans that an earlier audit found as well, with no volume in the making at either time
 * @param missing PersistentVolumes whose volume the backend did not list; only told if it listed all it has, and even then
 *     no proof
 * @param complete whether the backend said that it listed all
 * @param making whether volumes of the driver are being made, which may be among the orphans
 * @since 0.1.0
 */
public record CsiAuditReport(
        String driver,
        SortedMap<String, Long> orphans,
        List<String> confirmed,
        List<String> missing,
        boolean complete,
        boolean making) {
    public CsiAuditReport {
        orphans = Collections.unmodifiableSortedMap(new TreeMap<>(orphans));
        confirmed = List.copyOf(confirmed);
        missing = List.copyOf(missing);
    }

    /** One line for people. */
    public String summary() {
        return "driver %s: %d volumes that the cluster does not know (%d confirmed), %d that the backend does not list%s%s"
                .formatted(
                        driver,
                        orphans.size(),
                        confirmed.size(),
                        missing.size(),
                        complete ? "" : "; the list was cut short",
                        making ? "; volumes are being made" : "");
    }
}
