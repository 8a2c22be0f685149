package io.volume4j.core.control.ephemeral;

import io.volume4j.spi.model.Pod;

/**
 * The retention of claims from templates (KEP-1847). By default the claims stay in both cases.
 *
 * @param deletedWithSet whether they are deleted together with their set
 * @param deletedWhenScaled whether they are deleted with their pod when the set becomes smaller
 */
record RetentionPolicy(boolean deletedWithSet, boolean deletedWhenScaled) {
    /** Reads a text like {@code whenDeleted=Delete,whenScaled=Retain}. Unknown text keeps the claims. */
    static RetentionPolicy of(Pod pod) {
        boolean withSet = false;
        boolean whenScaled = false;
        for (String part : pod.metadata().annotation(PodClaims.RETENTION).split(",", -1)) {
            withSet |= part.strip().equals("whenDeleted=Delete");
            whenScaled |= part.strip().equals("whenScaled=Delete");
        }
        return new RetentionPolicy(withSet, whenScaled);
    }
}
