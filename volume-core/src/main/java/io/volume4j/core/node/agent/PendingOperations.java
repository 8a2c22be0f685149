package io.volume4j.core.node.agent;

import io.volume4j.core.engine.Engine;
import io.volume4j.core.engine.EventLoop;
import io.volume4j.core.node.NodeStep;
import io.volume4j.core.worlds.OperationExecutor.PendingOperation;
import io.volume4j.spi.VolumeId;
import java.time.Instant;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** Shows hosts which operations are under way. Loop thread only. */
final class PendingOperations {
    private final EventLoop loop;

    PendingOperations(EventLoop loop) {
        this.loop = loop;
    }

    /** @param run null before the start, when nothing is under way */
    List<PendingOperation> of(@Nullable NodeRun run) {
        return run == null
                ? List.of()
                : run.engine().operations().stream().map(this::shown).toList();
    }

    private PendingOperation shown(Engine.UnderWay<VolumeId, NodeStep> operation) {
        OptionalLong deadline = operation.deadlineNanos();
        return new PendingOperation(
                operation.id(),
                operation.key(),
                operation.step().kind().name(),
                operation.step().podUid(),
                operation.attempt(),
                at(operation.takenNanos()),
                deadline.isPresent() ? at(deadline.getAsLong()) : null,
                state(operation),
                operation.progress());
    }

    private static PendingOperation.State state(Engine.UnderWay<VolumeId, NodeStep> operation) {
        if (operation.writtenOff()) {
            return PendingOperation.State.WRITTEN_OFF;
        }
        return operation.deadlineNanos().isPresent() ? PendingOperation.State.RUNNING : PendingOperation.State.WAITING;
    }

    private Instant at(long nanos) {
        return loop.now().plusNanos(nanos - loop.nanoTime());
    }
}
