package io.volume4j.core.control.attach;

import io.volume4j.core.control.attach.plan.EventReason;
import io.volume4j.core.control.attach.plan.LastEvent;
import io.volume4j.core.report.OperationMetrics;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.host.EventSink;
import io.volume4j.spi.host.EventSink.Event;
import io.volume4j.spi.host.Fence;
import io.volume4j.spi.host.Metric;
import io.volume4j.spi.host.MetricsSink;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.ObjectReference;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Events for users and metrics, with Kubernetes' names. Loop thread only. */
final class AttachReports {
    private static final Logger LOG = LoggerFactory.getLogger(AttachReports.class);

    private final EventSink events;
    private final MetricsSink metrics;
    private final AttachIndex state;

    AttachReports(EventSink events, MetricsSink metrics, AttachIndex state) {
        this.events = events;
        this.metrics = metrics;
        this.state = state;
    }

    /** Writes events about volumes to their pods, and events that concern the machine to the node. */
    void tell(PairState pair, LastEvent told) {
        if (told.reason().equals(EventReason.DETACH_WAITS)) {
            aboutNode(pair.node.name, told.reason(), told.message());
        } else {
            aboutPods(pair, Event.Type.WARNING, told.reason(), told);
        }
    }

    void attached(PairState pair) {
        aboutPods(
                pair,
                Event.Type.NORMAL,
                EventReason.SUCCESSFUL_ATTACH_VOLUME,
                message("AttachVolume.Attach succeeded for volume \"" + pair.volume.shownName() + "\" on node "
                        + pair.node.name));
    }

    void attachFailed(PairState pair, VolumeException failure) {
        LastEvent told = message("AttachVolume.Attach failed for volume \"" + pair.volume.shownName() + "\" on node "
                + pair.node.name + ": " + text(failure));
        if (!told.equals(pair.told)) {
            pair.told = told;
            aboutPods(pair, Event.Type.WARNING, EventReason.FAILED_ATTACH_VOLUME, told);
        }
    }

    void detachFailed(PairState pair, VolumeException failure) {
        LastEvent told = message("volume \"" + pair.volume.shownName() + "\" was not detached from node "
                + pair.node.name + ": " + text(failure));
        if (!told.equals(pair.told)) {
            pair.told = told;
            aboutNode(pair.node.name, EventReason.FAILED_DETACH_VOLUME, told.message());
        }
    }

    void lost(PairState pair) {
        aboutNode(
                pair.node.name,
                EventReason.ATTACHMENT_LOST,
                "the backend does not have volume \"" + pair.volume.shownName() + "\" attached to node "
                        + pair.node.name);
    }

    /**
     * The controller detaches a volume without the node's report. An operator must see the reason: an event, a count and a log
     * line.
     */
    void forced(VolumeId volume, String node, Fence fence) {
        String reason = fence.kind().name().toLowerCase(Locale.ROOT);
        PairState pair = state.pair(volume, node);
        String name = pair == null ? volume.name() : pair.volume.shownName();
        boolean risk = fence.kind() == Fence.Kind.ACCEPTED_RISK;
        String message = "volume \"" + name + "\" is detached from node " + node + " by force (" + reason + "): "
                + fence.evidence() + (risk ? ". This is not safe: the node may still write to it" : "");
        LOG.atWarn()
                .addKeyValue("action", "force-detach")
                .addKeyValue("volume", volume)
                .addKeyValue("node", node)
                .addKeyValue("reason", reason)
                .addKeyValue("evidence", fence.evidence())
                .log("volume is detached without the report of its node");
        aboutNode(node, EventReason.FORCED_DETACH, message);
        metrics.count(Metric.ATTACH_FORCED_DETACHES.metricName(), OperationMetrics.labels("reason", reason), 1);
    }

    private void aboutPods(PairState pair, Event.Type type, String reason, LastEvent told) {
        for (String uid : pair.pods()) {
            PodState pod = state.pods().get(uid);
            if (pod != null) {
                events.event(new Event(
                        type,
                        reason,
                        new ObjectReference(
                                Kind.POD.apiVersion(),
                                Kind.POD.apiName(),
                                pod.key().namespace(),
                                pod.key().name(),
                                uid,
                                ""),
                        told.forNamespace(pod.key().namespace())));
            }
        }
    }

    private void aboutNode(String name, String reason, String message) {
        @Nullable NodeState node = state.node(name);
        events.event(new Event(
                Event.Type.WARNING,
                reason,
                new ObjectReference(
                        Kind.NODE.apiVersion(), Kind.NODE.apiName(), "", name, node == null ? "" : node.uid, ""),
                message));
    }

    private static LastEvent message(String text) {
        return new LastEvent(EventReason.FAILED_ATTACH_VOLUME, text, List.of());
    }

    private static String text(VolumeException failure) {
        return failure.getMessage();
    }
}
