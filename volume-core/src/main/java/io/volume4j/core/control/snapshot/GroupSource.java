package io.volume4j.core.control.snapshot;

import io.volume4j.spi.model.ClaimPhase;
import io.volume4j.spi.model.PersistentVolumeClaim;
import java.util.List;
import java.util.Map;

/** What a group snapshot reads of a claim in its namespace. A change of anything else of the claim does not concern the group. */
record GroupSource(
        Map<String, String> labels, ClaimPhase phase, String volumeName, boolean deleting, List<String> finalizers) {
    static GroupSource of(PersistentVolumeClaim claim) {
        return new GroupSource(
                claim.metadata().labels(),
                claim.status().phase(),
                claim.spec().volumeName(),
                claim.metadata().deleting(),
                claim.metadata().finalizers());
    }
}
