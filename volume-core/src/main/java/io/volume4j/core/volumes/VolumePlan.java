package io.volume4j.core.volumes;

import io.volume4j.spi.VolumeId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * What would be done about one volume if every call succeeded and nothing else changed. Immutable.
 *
 * @param name the PersistentVolume's name, or the pod's name for an inline volume
 * @param steps in their order
 * @param waits what is waited for instead of, or after, the steps
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

    /** For a person, one step a line. */
    public String text() {
        StringBuilder text = new StringBuilder("volume ").append(name).append(':');
        steps.forEach(step -> text.append("\n  ").append(step.description()));
        waits.forEach(wait -> text.append("\n  waiting: ").append(wait));
        return text.toString();
    }
}
