package io.volume4j.core.engine;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What is kept about a key while something about it is under way, failed, or waits for its time. Loop thread only. */
final class KeyState<S extends Step> {
    private static final EventLoop.Timer NO_TIMER = () -> {};

    /** In the order in which they were taken; rarely more than one. */
    final List<Operation<S>> underWay = new ArrayList<>(1);
    /** By the steps' retry keys; nearly always none. */
    private Map<String, Trouble> troubles = Map.of();

    private EventLoop.Timer timer = NO_TIMER;
    private boolean timed;
    /** All is done, and the timer is for the next look. */
    private boolean routine;

    /** The key is looked at again when this timer, which replaces the one before, is due. */
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

    /** Whether nothing is to be kept about the key. */
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

    /** Whether any step has failed, and may have to wait. */
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
