package io.volume4j.core.control;

import io.volume4j.spi.model.ObjectKey;

/**
 * A step that a controller would take now if it ran.
 *
 * @param object for which it was planned
 * @param kind such as {@code WRITE}, {@code PROVISION}, {@code DELETE}
 * @param description in words
 * @since 0.1.0
 */
public record PlannedStep(ObjectKey object, String kind, String description) {
    @Override
    public String toString() {
        return object + ": " + description;
    }
}
