package io.volume4j.ui.watch;

import io.volume4j.core.worlds.OperationExecutor.PendingOperation;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The deadlines of running calls. */
final class Deadlines {
    private Deadlines() {}

    static Map<String, Instant> of(List<? extends PendingOperation<?>> pending) {
        Map<String, Instant> deadlines = new HashMap<>();
        for (PendingOperation<?> operation : pending) {
            Instant deadline = operation.deadline();
            if (deadline != null) {
                deadlines.put(operation.id(), deadline);
            }
        }
        return deadlines;
    }
}
