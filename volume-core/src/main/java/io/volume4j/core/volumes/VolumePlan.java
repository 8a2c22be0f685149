package io.volume4j.core.volumes;

import io.volume4j.spi.VolumeId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * The planned steps for one volume, on the assumption that every call succeeds and nothing else changes. Immutable.
 *
 * @param name the PersistentVolume's name, or the pod's name for an inline volume
 * @param steps in their order
 * @param waits what the reconciler waits for, instead of the steps or after them
 * @since 0.1.0
 */
public record VolumePlan(VolumeId volume, String name, List<PlannedStep> steps, List<String> waits) {
    public VolumePlan {
        steps = Collections.unmodifiableList(new ArrayList<>(steps));
        waits = Collections.unmodifiableList(new ArrayList<>(waits));
    }

    /**
     * One step.
     *
     * @param podUid {@code ""} for a step that concerns the volume itself
     * @param description for people: {@code mount volume v for pod default/p}
     */
    public record PlannedStep(VolumeTransition.Action action, String podUid, String description) {}

    /** A text for people, with one step on each line. */
    public String text() {
        StringBuilder text = new StringBuilder("volume ").append(name).append(':');
        steps.forEach(step -> text.append("\n  ").append(step.description()));
        waits.forEach(wait -> text.append("\n  waiting: ").append(wait));
        return text.toString();
    }
}
