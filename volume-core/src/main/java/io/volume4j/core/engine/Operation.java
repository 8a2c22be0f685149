package io.volume4j.core.engine;

import io.volume4j.spi.host.Instrumentation;
import java.util.List;

/** A taken step, until its thread has returned. Loop thread only. */
final class Operation<S extends Step> {
    /** The state of its key, which exists while an operation is under way. */
    final KeyState<S> state;

    final String id;
    final S step;
    final List<ConflictKey> keys;
    final int attempt;
    final long takenAt;
    String progress = "";
    /** Observes the step from the submission of its call. */
    Instrumentation.Step observed = Instrumentation.Step.none();

    boolean dispatched;
    boolean ended;
    boolean writtenOff;
    /** Whether it has a place of the {@link Intake}. */
    boolean hasPlace = true;

    Operation(KeyState<S> state, String id, S step, List<ConflictKey> keys, int attempt, long takenAt) {
        this.state = state;
        this.id = id;
        this.step = step;
        this.keys = keys;
        this.attempt = attempt;
        this.takenAt = takenAt;
    }
}
