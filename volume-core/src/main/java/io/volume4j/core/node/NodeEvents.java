package io.volume4j.core.node;

import io.volume4j.core.engine.Outcome;
import io.volume4j.core.node.DesiredStateOfWorld.DesiredVolume;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.host.EventSink;
import io.volume4j.spi.host.EventSink.Event;
import io.volume4j.spi.model.ObjectMeta;
import io.volume4j.spi.model.ObjectReference;
import io.volume4j.spi.model.Pod;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiPredicate;
import java.util.function.Function;

/**
 * Tells people of pods what happens to their volumes, under the reasons that the field knows. A failure that repeats is told
 * at its first, second, fourth, eighth … time, each time with the explanation, so that a pod which waits for days gets a
 * handful of events. Unmounting tells nothing. Loop thread only.
 */
final class NodeEvents {
    /** What an event's note may hold, as the API has it. */
    private static final int LONGEST = 1024;

    private final EventSink sink;
    private final DesiredStateOfWorld desired;
    private final BiPredicate<VolumeId, String> mounted;
    private final Function<Pod, String> explain;

    /**
     * Events for a sink.
     *
     * @param mounted whether a pod can use a volume, by its UID
     * @param explain why the pod's volumes are as they are; asked for only when an event is told
     */
    NodeEvents(
            EventSink sink,
            DesiredStateOfWorld desired,
            BiPredicate<VolumeId, String> mounted,
            Function<Pod, String> explain) {
        this.sink = sink;
        this.desired = desired;
        this.mounted = mounted;
        this.explain = explain;
    }

    void ended(VolumeId id, NodeStep step, int attempt, Outcome outcome) {
        if (outcome.succeeded()) {
            String reason = step.kind().success();
            if (!reason.isEmpty()) {
                concerned(id, step)
                        .forEach(pod -> tell(Event.Type.NORMAL, reason, pod, step.describe() + " succeeded"));
            }
            return;
        }
        String reason = step.kind().failure();
        if (reason.isEmpty() || Integer.bitCount(attempt) != 1) {
            return;
        }
        VolumeException failure = outcome.requireFailure();
        String times = attempt == 1 ? "" : " (attempt " + attempt + ")";
        String advice = failure.advice().isEmpty() ? "" : " — " + failure.advice();
        for (Pod pod : concerned(id, step)) {
            tell(
                    Event.Type.WARNING,
                    reason,
                    pod,
                    step.describe() + " failed" + times + ": " + failure.getMessage() + advice + "\n"
                            + explain.apply(pod));
        }
    }

    /** A volume is given to a pod's group while another pod with another group uses it. */
    void owning(VolumeId id, String podUid) {
        DesiredVolume volume = desired.volume(id);
        ResolvedPod pod = desired.pod(podUid);
        Long group = pod == null ? null : pod.pod().spec().securityContext().fsGroup();
        if (volume == null || pod == null || group == null) {
            return;
        }
        for (String uid : volume.uses().keySet()) {
            ResolvedPod other = desired.pod(uid);
            Long otherGroup = other == null || !mounted.test(id, uid)
                    ? null
                    : other.pod().spec().securityContext().fsGroup();
            if (other != null && otherGroup != null && !otherGroup.equals(group)) {
                tell(
                        Event.Type.WARNING,
                        "AlreadyMountedVolume",
                        pod.pod(),
                        "volume " + volume.volume().spec().name() + " is given to fsGroup " + group + " while pod "
                                + other.name() + " uses it with fsGroup " + otherGroup);
            }
        }
    }

    /** Somebody waited for the pod's volumes in vain. */
    void timedOut(Pod pod, String text) {
        tell(Event.Type.WARNING, "FailedMount", pod, "Unable to attach or mount volumes: " + text);
    }

    private List<Pod> concerned(VolumeId id, NodeStep step) {
        List<Pod> pods = new ArrayList<>();
        DesiredVolume volume = desired.volume(id);
        if (!step.podUid().isEmpty()) {
            add(step.podUid(), pods);
        } else if (volume != null) {
            volume.uses().keySet().forEach(uid -> add(uid, pods));
        }
        return pods;
    }

    private void add(String podUid, List<Pod> pods) {
        ResolvedPod pod = desired.pod(podUid);
        if (pod != null) {
            pods.add(pod.pod());
        }
    }

    private void tell(Event.Type type, String reason, Pod pod, String message) {
        ObjectMeta meta = pod.metadata();
        ObjectReference object = new ObjectReference(
                pod.kind().apiVersion(),
                pod.kind().apiName(),
                meta.namespace(),
                meta.name(),
                meta.uid(),
                meta.resourceVersion());
        sink.event(new Event(
                type, reason, object, message.length() <= LONGEST ? message : message.substring(0, LONGEST - 1) + "…"));
    }
}
