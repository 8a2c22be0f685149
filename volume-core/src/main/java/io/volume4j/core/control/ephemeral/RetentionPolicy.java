package io.volume4j.core.control.ephemeral;

import io.volume4j.spi.model.Pod;

/**
 * What becomes of claims made from templates (KEP-1847). Both are kept unless it says otherwise.
 *
 * @param deletedWithSet whether they go with the set whose pods use them
 * @param deletedWhenScaled whether they go with their pod when the set becomes smaller
 */
record RetentionPolicy(boolean deletedWithSet, boolean deletedWhenScaled) {
    /** As in {@code whenDeleted=Delete,whenScaled=Retain}. What is not understood keeps the claims. */
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
