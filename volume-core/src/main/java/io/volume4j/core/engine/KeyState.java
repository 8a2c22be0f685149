package io.volume4j.core.engine;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The state of a key while an operation of it is under way, has failed, or waits for its time. Loop thread only. */
final class KeyState<S extends Step> {
    private static final EventLoop.Timer NO_TIMER = () -> {};

    /** In the order in which they were taken; rarely more than one. */
    final List<Operation<S>> underWay = new ArrayList<>(1);
    /** By the steps' retry keys; nearly always empty. */
    private Map<String, Trouble> troubles = Map.of();

    private EventLoop.Timer timer = NO_TIMER;
    private boolean timed;
    /** Whether nothing is to do, and the timer only starts the next check. */
    private boolean routine;

    /** Sets the timer of the next visit. It replaces the earlier one. */
    void timed(EventLoop.Timer next, boolean onlyRoutine) {
        timer = next;
        timed = true;
        routine = onlyRoutine;
    }

    void untimed() {
        timed = false;
    }

    void cancelTimer() {
        timer.cancel();
    }

    /** Whether the key needs no state. */
    boolean empty() {
        return underWay.isEmpty() && troubles.isEmpty() && !timed;
    }

    boolean atRest() {
        return underWay.isEmpty() && troubles.isEmpty() && timed && routine;
    }

    boolean isUnderWay(S step) {
        for (Operation<S> operation : underWay) {
            if (operation.step.equals(step)) {
                return true;
            }
        }
        return false;
    }

    /** Whether a step has failed, and may have to wait. */
    boolean inTrouble() {
        return !troubles.isEmpty();
    }

    @Nullable
    Trouble trouble(S step) {
        return troubles.isEmpty() ? null : troubles.get(step.retryKey());
    }

    void trouble(S step, Trouble trouble) {
        if (troubles.isEmpty()) {
            troubles = new LinkedHashMap<>(2);
        }
        troubles.put(step.retryKey(), trouble);
    }

    void forgetTroubles() {
        troubles = Map.of();
    }

    int failures(S step) {
        Trouble trouble = trouble(step);
        return trouble == null ? 0 : trouble.failures();
    }

    long notBefore(S step) {
        Trouble trouble = trouble(step);
        return trouble == null ? Wait.NO_TIME : trouble.notBefore();
    }

    boolean putOff(S step, long now) {
        Trouble trouble = trouble(step);
        return trouble != null && trouble.notBefore() - now > 0;
    }
}
