package io.volume4j.core.node.attach;

import io.volume4j.core.engine.EventLoop;
import io.volume4j.core.engine.Outcome;
import io.volume4j.core.engine.Questions;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.model.VolumeAttachment;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/**
 * Reads why a volume that this node waits for is not attached. Only its VolumeAttachment has the error or the other node, and
 * a watch cannot select the VolumeAttachments of one node. So the node reads them one by one, first after a short wait
 * and then with growing pauses. A node that waits for no attachment reads nothing. Loop thread only.
 */
public final class AttachErrors {
    private static final Duration FIRST = Duration.ofSeconds(5);
    private static final Duration LONGEST = Duration.ofMinutes(1);

    /** The largest number of volumes that the node follows at a time. It follows others when these are attached. */
    private static final int MOST = 64;

    private static final class Awaited {
        private Duration pause = FIRST;
        private AttachObstacle obstacle = AttachObstacle.NONE;
    }

    private final EventLoop loop;
    private final Questions<VolumeId> questions;
    private final GrantCheck check;
    private final Predicate<VolumeId> awaits;
    private final Consumer<String> refusedForRoom;
    private final UnaryOperator<String> withoutSecrets;
    private final Map<VolumeId, Awaited> awaited = new LinkedHashMap<>();
    private boolean closed;

    /**
     * @param awaits whether the node still waits for the volume's attachment
     * @param refusedForRoom called with a plugin whose driver reports that the node can have no more volumes
     */
    public AttachErrors(
            EventLoop loop,
            Questions<VolumeId> questions,
            GrantCheck check,
            Predicate<VolumeId> awaits,
            Consumer<String> refusedForRoom,
            UnaryOperator<String> withoutSecrets) {
        this.loop = loop;
        this.questions = questions;
        this.check = check;
        this.awaits = awaits;
        this.refusedForRoom = refusedForRoom;
        this.withoutSecrets = withoutSecrets;
    }

    /** The node waits for the volume's attachment. */
    public void awaited(VolumeId id) {
        if (closed || awaited.size() >= MOST || awaited.containsKey(id)) {
            return;
        }
        Awaited waiting = new Awaited();
        awaited.put(id, waiting);
        later(id, waiting);
    }

    /** The attacher's last error for a volume that the node waits for, {@code ""} for none. */
    public String said(VolumeId id) {
        VolumeAttachment.Failure error = obstacle(id).error();
        return error == null ? "" : withoutSecrets.apply(error.message());
    }

    /** The other node that has a volume for which this node waits, {@code ""} if none is known. */
    public String holder(VolumeId id) {
        return obstacle(id).holder();
    }

    private AttachObstacle obstacle(VolumeId id) {
        Awaited waiting = awaited.get(id);
        return waiting == null || !awaits.test(id) ? AttachObstacle.NONE : waiting.obstacle;
    }

    public void close() {
        closed = true;
        awaited.clear();
    }

    private void later(VolumeId id, Awaited waiting) {
        loop.schedule(waiting.pause, () -> look(id, waiting));
        Duration twice = waiting.pause.multipliedBy(2);
        waiting.pause = twice.compareTo(LONGEST) < 0 ? twice : LONGEST;
    }

    private void look(VolumeId id, Awaited waiting) {
        if (awaited.get(id) != waiting) {
            return;
        }
        if (!awaits.test(id)) {
            awaited.remove(id);
            return;
        }
        questions.ask(id, id.toString(), () -> check.obstacle(id), outcome -> heard(id, waiting, outcome));
    }

    private void heard(VolumeId id, Awaited waiting, Outcome outcome) {
        if (awaited.get(id) != waiting) {
            return;
        }
        if (outcome.succeeded()) {
            AttachObstacle obstacle = (AttachObstacle) Objects.requireNonNull(outcome.value());
            VolumeAttachment.Failure error = obstacle.error();
            VolumeAttachment.Failure before = waiting.obstacle.error();
            waiting.obstacle = obstacle;
            if (error != null && error.exhausted() && !error.equals(before)) {
                refusedForRoom.accept(id.plugin());
            }
        }
        later(id, waiting);
    }
}
