package io.volume4j.core.node.report;

import io.volume4j.core.engine.Outcome;
import io.volume4j.core.node.NodeReason;
import io.volume4j.core.node.NodeStep;
import io.volume4j.core.node.desired.DesiredStateOfWorld;
import io.volume4j.core.node.desired.DesiredVolume;
import io.volume4j.core.node.desired.ResolvedPod;
import io.volume4j.core.node.desired.ResolvedPod.ResolvedVolume;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.host.EventSink;
import io.volume4j.spi.host.EventSink.Event;
import io.volume4j.spi.model.ObjectMeta;
import io.volume4j.spi.model.ObjectReference;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.Pod;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Writes events of pods about their volumes, with the kubelet's reasons. A repeated failure causes an event at its
 * first, second, fourth, eighth … time, each with the explanation, so that a pod which waits for days gets only a few
 * events. Unmounting causes no events. Loop thread only.
 */
public final class NodeEvents {
    /** The maximum length of an event's note in the API. */
    private static final int LONGEST = 1024;

    private final EventSink sink;
    private final DesiredStateOfWorld desired;
    private final NodeQueries queries;
    private final Function<Pod, String> explanation;

    /** @param explanation explains the state of the pod's volumes; called only for an event */
    public NodeEvents(
            EventSink sink, DesiredStateOfWorld desired, NodeQueries queries, Function<Pod, String> explanation) {
        this.sink = sink;
        this.desired = desired;
        this.queries = queries;
        this.explanation = explanation;
    }

    /** Whether the step may need an event. Most steps succeed, and most successes need none. */
    boolean tells(VolumeId id, NodeStep step, Outcome outcome) {
        return !outcome.succeeded()
                || !step.kind().success().isEmpty()
                || (step.kind() == NodeStep.Kind.MOUNT && queries.missed(id) > 0);
    }

    void ended(VolumeId id, NodeStep step, int attempt, Outcome outcome) {
        if (outcome.succeeded()) {
            succeeded(id, step);
            return;
        }
        String reason = step.kind().failure(queries.raw(id));
        if (reason.isEmpty() || Integer.bitCount(attempt) != 1) {
            return;
        }
        VolumeException failure = outcome.requireFailure();
        String times = attempt == 1 ? "" : " (attempt " + attempt + ")";
        for (Pod pod : concerned(id, step)) {
            tell(
                    Event.Type.WARNING,
                    reason,
                    pod,
                    step.describe() + " failed" + times + ": " + failure.getMessage() + "\n" + explanation.apply(pod));
        }
    }

    private void succeeded(VolumeId id, NodeStep step) {
        String reason = step.kind().success();
        String text = step.describe() + " succeeded";
        if (!reason.isEmpty()) {
            concerned(id, step).forEach(pod -> tell(Event.Type.NORMAL, reason, pod, text));
        }
        if (step.kind() == NodeStep.Kind.EXPAND) {
            ObjectReference claim = claim(id);
            if (claim != null) {
                tell(Event.Type.NORMAL, reason, claim, text);
            }
        }
        if (step.kind() == NodeStep.Kind.MOUNT && queries.missed(id) > 0) {
            concerned(id, step)
                    .forEach(pod -> tell(
                            Event.Type.WARNING,
                            NodeReason.NOT_EXPANDED,
                            pod,
                            "volume " + id.name() + " is to have " + queries.missed(id)
                                    + " bytes and stays smaller here, because it is only read"));
        }
    }

    /** The claim that the volume is bound to, null if there is none. */
    private @Nullable ObjectReference claim(VolumeId id) {
        DesiredVolume volume = desired.volume(id);
        PersistentVolume persistent =
                volume == null ? null : volume.volume().spec().persistentVolume();
        return persistent == null ? null : persistent.spec().claimRef();
    }

    /** Writes an event if the pod's group gets a volume that another pod uses with another group. */
    void owning(VolumeId id, String podUid) {
        DesiredVolume volume = desired.volume(id);
        ResolvedPod pod = desired.pod(podUid);
        Long group = pod == null ? null : pod.pod().spec().securityContext().fsGroup();
        if (volume == null || pod == null || group == null) {
            return;
        }
        for (ResolvedVolume use : volume.uses()) {
            ResolvedPod other = desired.pod(use.podUid());
            Long otherGroup = other == null || !queries.mounted(id, use.podUid())
                    ? null
                    : other.pod().spec().securityContext().fsGroup();
            if (other != null && otherGroup != null && !otherGroup.equals(group)) {
                tell(
                        Event.Type.WARNING,
                        NodeReason.OTHER_FS_GROUP,
                        pod.pod(),
                        "volume " + volume.volume().spec().name() + " is given to fsGroup " + group + " while pod "
                                + other.name() + " uses it with fsGroup " + otherGroup);
            }
        }
    }

    /**
     * Writes an event for a pod that waits long for its group.
     *
     * @param progress the progress that the walk reported, {@code ""} for none
     */
    void owningTakesLong(NodeStep step, String progress) {
        String text = step.describe() + " takes long" + (progress.isEmpty() ? "" : ": " + progress)
                + " — with the fsGroupChangePolicy OnRootMismatch it is done only where the topmost directory differs";
        concerned(step.volume(), step).forEach(pod -> tell(Event.Type.WARNING, NodeReason.SLOW_FS_GROUP, pod, text));
    }

    /** This node found a problem of the volume, or another problem than before. */
    void abnormal(VolumeId id, String message) {
        ofAllPods(id, Event.Type.WARNING, NodeReason.ABNORMAL, "volume " + id.name() + ": " + message);
    }

    /** The volume has no problem any more on this node. */
    void normal(VolumeId id) {
        ofAllPods(id, Event.Type.NORMAL, NodeReason.NORMAL, "volume " + id.name() + " is well again");
    }

    private void ofAllPods(VolumeId id, Event.Type type, String reason, String message) {
        DesiredVolume volume = desired.volume(id);
        if (volume != null) {
            List<Pod> pods = new ArrayList<>();
            volume.uses().forEach(use -> add(use.podUid(), pods));
            pods.forEach(pod -> tell(type, reason, pod, message));
        }
    }

    /** A caller's wait for the pod's volumes timed out. */
    public void timedOut(Pod pod, String text) {
        tell(Event.Type.WARNING, NodeReason.FAILED_MOUNT, pod, "Unable to attach or mount volumes: " + text);
    }

    private List<Pod> concerned(VolumeId id, NodeStep step) {
        List<Pod> pods = new ArrayList<>();
        DesiredVolume volume = desired.volume(id);
        if (!step.podUid().isEmpty()) {
            add(step.podUid(), pods);
        } else if (volume != null) {
            volume.uses().forEach(use -> add(use.podUid(), pods));
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
        tell(type, reason, object, message);
    }

    private void tell(Event.Type type, String reason, ObjectReference object, String message) {
        sink.event(new Event(
                type, reason, object, message.length() <= LONGEST ? message : message.substring(0, LONGEST - 1) + "…"));
    }
}
