package io.volume4j.core.engine;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The calls of one plugin, those that wait and how many run. A call needs a place in the lane and, if it belongs to a part with
 * a limit of its own, one of the part's as well. Calls start in the order in which they came, but those of a part that is full
 * are passed over: they keep nobody waiting, and whichever has waited longest goes first as soon as its part has a place. Loop
 * thread only.
 */
final class Lane {
    final String name;
    int brisk;
    int writtenOff;
    boolean inTurn;

    private final Map<String, Part> parts = new LinkedHashMap<>();
    private int limit = 1;
    private int running;
    private int waiting;

    Lane(String name) {
        this.name = name;
    }

    /** The limits are those that came with the latest call. */
    void add(SubmittedCall call) {
        limit = call.call.laneLimit();
        Part part = parts.computeIfAbsent(call.call.part().name(), name -> new Part());
        part.limit = call.call.part().limit();
        part.queue.put(call.id, call);
        waiting++;
    }

    int waiting() {
        return waiting;
    }

    /** The call of that id, if it waits. */
    @Nullable
    SubmittedCall waiting(String id) {
        for (Part part : parts.values()) {
            @Nullable SubmittedCall call = part.queue.get(id);
            if (call != null) {
                return call;
            }
        }
        return null;
    }

    /** Which limit is reached that the waiting call needs a place under, for a person; {@code ""} if none in this lane. */
    String full(SubmittedCall call) {
        Part part = part(call);
        if (running >= limit) {
            return "as many calls of " + name + " run as may, " + limit;
        }
        return part.mayStart()
                ? ""
                : "as many calls of " + name + " for " + call.call.part().name() + " run as may, " + part.limit;
    }

    void remove(SubmittedCall waitingCall) {
        part(waitingCall).queue.remove(waitingCall.id);
        waiting--;
        forgetIfIdle(waitingCall);
    }

    /** The call that may start now, with its places taken; null if none may. */
    @Nullable
    SubmittedCall takeNext(OperationExecutor.Limits limits) {
        if (running >= limit
                || brisk >= Math.max(1, limits.running() / 2)
                || writtenOff >= limits.writtenOffPerLane()) {
            return null;
        }
        @Nullable Part next = null;
        for (Part part : parts.values()) {
            if (part.mayStart() && (next == null || part.first().number < next.first().number)) {
                next = part;
            }
        }
        if (next == null) {
            return null;
        }
        next.running++;
        running++;
        brisk++;
        waiting--;
        SubmittedCall first = next.first();
        next.queue.remove(first.id);
        return first;
    }

    /** Gives back the places of a call that runs no more, or that nobody waits for any longer. */
    void leave(SubmittedCall call) {
        part(call).running--;
        running--;
        forgetIfIdle(call);
    }

    boolean idle() {
        return waiting == 0 && running == 0 && writtenOff == 0;
    }

    private Part part(SubmittedCall call) {
        return Objects.requireNonNull(parts.get(call.call.part().name()), call.id);
    }

    private void forgetIfIdle(SubmittedCall call) {
        Part part = part(call);
        if (part.queue.isEmpty() && part.running == 0) {
            parts.remove(call.call.part().name());
        }
    }

    private static final class Part {
        /** By id: when many pods go at once, many calls that wait are withdrawn. */
        private final Map<String, SubmittedCall> queue = new LinkedHashMap<>();

        private int limit = 1;
        private int running;

        /** Of those that wait, of which there must be one. */
        SubmittedCall first() {
            return queue.values().iterator().next();
        }

        /** Whether a call of it waits that needs no more than a place in the lane. */
        boolean mayStart() {
            return !queue.isEmpty() && running < limit;
        }
    }
}
