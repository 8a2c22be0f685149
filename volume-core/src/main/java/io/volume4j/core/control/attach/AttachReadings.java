package io.volume4j.core.control.attach;

import io.volume4j.core.control.attach.plan.PairView.Use;
import io.volume4j.core.engine.EventLoop;
import io.volume4j.core.grants.GrantKeys;
import io.volume4j.core.worlds.AttachActualStateOfWorld;
import io.volume4j.core.worlds.AttachActualStateOfWorld.Attachment;
import io.volume4j.core.worlds.AttachActualStateOfWorld.State;
import io.volume4j.core.worlds.AttachDesiredStateOfWorld;
import io.volume4j.core.worlds.AttachDesiredStateOfWorld.Node;
import io.volume4j.core.worlds.AttachDesiredStateOfWorld.Volume;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.VolumeAttachment;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Reads both worlds for hosts and numbers the readings. Equal readings have the same revision. A later reading never has a smaller
 * revision, even in another term. Loop thread only.
 */
final class AttachReadings {
    private static final Comparator<Attachment> ORDER =
            Comparator.comparing((Attachment each) -> each.volume().toString()).thenComparing(Attachment::node);

    /** The wall clock at {@link #nanos}, read once: the same loop time gives the same instant in every reading. */
    private final Instant instant;

    private final long nanos;
    private AttachDesiredStateOfWorld.Reading desired = new AttachDesiredStateOfWorld.Reading(0, false, List.of());
    private AttachActualStateOfWorld.Reading actual = new AttachActualStateOfWorld.Reading(0, false, List.of());

    AttachReadings(EventLoop loop) {
        this.instant = loop.now();
        this.nanos = loop.nanoTime();
    }

    /** @param state null while another process leads */
    AttachDesiredStateOfWorld.Reading desired(@Nullable AttachIndex state, boolean complete) {
        AttachDesiredStateOfWorld.Reading same = new AttachDesiredStateOfWorld.Reading(
                desired.revision(), complete, state == null ? List.of() : nodes(state));
        if (!same.equals(desired)) {
            desired = new AttachDesiredStateOfWorld.Reading(desired.revision() + 1, complete, same.nodes());
        }
        return desired;
    }

    /**
     * The same for the actual state.
     *
     * @param views null while another process leads
     */
    AttachActualStateOfWorld.Reading actual(
            @Nullable AttachIndex state, @Nullable AttachViews views, boolean complete) {
        AttachActualStateOfWorld.Reading same = new AttachActualStateOfWorld.Reading(
                actual.revision(), complete, state == null || views == null ? List.of() : attachments(state, views));
        if (!same.equals(actual)) {
            actual = new AttachActualStateOfWorld.Reading(actual.revision() + 1, complete, same.attachments());
        }
        return actual;
    }

    static State state(PairState pair, AttachViews views) {
        VolumeAttachment record = views.record(pair);
        boolean attached = record != null
                && record.status().attached()
                && !record.metadata().deleting()
                && !pair.absent();
        return attached ? State.ATTACHED : pair.occupied() ? State.UNCERTAIN : State.DETACHED;
    }

    private static List<Node> nodes(AttachIndex state) {
        Map<String, Node> nodes = new TreeMap<>();
        for (NodeState node : state.nodes()) {
            if (node.served()) {
                nodes.put(node.name, new Node(node.name, volumes(state, node)));
            }
        }
        return List.copyOf(nodes.values());
    }

    private static List<Volume> volumes(AttachIndex state, NodeState node) {
        List<Volume> volumes = new ArrayList<>();
        for (PairState pair : node.pairs.values()) {
            if (pair.wanted()) {
                Map<String, ObjectKey> pods = new TreeMap<>();
                for (String uid : pair.pods()) {
                    PodState pod = state.pods().get(uid);
                    if (pod != null) {
                        pods.put(uid, pod.key());
                    }
                }
                volumes.add(new Volume(pair.key.volume(), pods));
            }
        }
        volumes.sort(Comparator.comparing(volume -> volume.volume().toString()));
        return volumes;
    }

    private List<Attachment> attachments(AttachIndex state, AttachViews views) {
        List<Attachment> all = new ArrayList<>();
        for (NodeState node : state.nodes()) {
            for (PairState pair : node.pairs.values()) {
                State now = state(pair, views);
                if (now != State.DETACHED) {
                    all.add(attachment(pair, now, views.record(pair)));
                }
            }
        }
        all.sort(ORDER);
        return all;
    }

    private Attachment attachment(PairState pair, State state, @Nullable VolumeAttachment record) {
        VolumeId volume = pair.key.volume();
        String recorded = record == null ? "" : record.metadata().annotation(GrantKeys.DEVICE_PATH);
        return new Attachment(
                volume,
                pair.node.name,
                state,
                pair.node.use(pair) != Use.FREE,
                record == null ? "" : record.metadata().name(),
                recorded.isEmpty() ? pair.node.words.devicePath(volume) : recorded,
                pair.wanted() ? null : instant.plusNanos(pair.unwantedSince - nanos));
    }
}
