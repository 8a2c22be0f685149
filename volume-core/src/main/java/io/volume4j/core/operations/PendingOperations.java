package io.volume4j.core.operations;

import io.volume4j.core.engine.Engine;
import io.volume4j.core.engine.EventLoop;
import io.volume4j.core.engine.Step;
import io.volume4j.core.worlds.OperationExecutor.PendingOperation;
import java.time.Instant;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.BiFunction;
import java.util.function.Function;

/** Lists the running operations for hosts. Loop thread only. */
public final class PendingOperations {
    private final EventLoop loop;

    public PendingOperations(EventLoop loop) {
        this.loop = loop;
    }

    /**
     * The operations of one engine.
     *
     * @param subject the host's name of a key, for a step about it
     * @param podUid the UID of the pod of a step
     */
    public <K, S extends Step, T> List<PendingOperation<T>> of(
            Engine<K, ?, S> engine, BiFunction<K, S, T> subject, Function<S, String> podUid) {
        return engine.operations().stream()
                .map(operation -> shown(
                        operation, subject.apply(operation.key(), operation.step()), podUid.apply(operation.step())))
                .toList();
    }

    private <T, S extends Step> PendingOperation<T> shown(Engine.UnderWay<?, S> operation, T subject, String podUid) {
        OptionalLong deadline = operation.deadlineNanos();
        return new PendingOperation<>(
                operation.id(),
                subject,
                operation.step().kind().name(),
                podUid,
                operation.attempt(),
                at(operation.takenNanos()),
                deadline.isPresent() ? at(deadline.getAsLong()) : null,
                state(operation),
                operation.progress());
    }

    private static PendingOperation.State state(Engine.UnderWay<?, ?> operation) {
        if (operation.writtenOff()) {
            return PendingOperation.State.WRITTEN_OFF;
        }
        return operation.deadlineNanos().isPresent() ? PendingOperation.State.RUNNING : PendingOperation.State.WAITING;
    }

    private Instant at(long nanos) {
        return loop.now().plusNanos(nanos - loop.nanoTime());
    }
}
