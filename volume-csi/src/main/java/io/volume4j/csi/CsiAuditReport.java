package io.volume4j.csi;

import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The result of a {@link CsiAudit}. The library does not act on it, because a volume without an object may contain
 * the only copy of a user's data.
 *
 *
 * @param driver the name of the driver
 * @param orphans volumes of the backend that no PersistentVolume names, each with its size in bytes (0 if the driver
 *     does not report it)
 * @param confirmed the orphans that the previous audit found too, if no volume was being created during either audit
 * @param missing PersistentVolumes whose volume the backend did not list. Reported only if the list was complete;
 *     even then it is not a proof
 * @param complete whether the backend said that the list is complete
 * @param making whether volumes of the driver are being created; these may be among the orphans
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
