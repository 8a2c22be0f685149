package io.volume4j.core.engine;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The waiting and running calls of one plugin. A call needs a place in the lane. If it belongs to a part with its own
 * limit, it needs a place of the part as well. Calls start in their order. Calls of a full part are skipped: they
 * delay no other call, and the oldest of them starts first when its part has a place.
 *
 * <p>Subjects (volumes, objects) share a lane fairly. They take turns, and one subject never has all places. A subject
 * whose last call hung is suspect: its calls come last, in half of the places. So storage that hangs at every call
 * delays other storage only by its first call. Loop thread only.
 */
final class Lane {
    /**
     * After this many calls of others, one suspect's call starts, so that suspects get tries even if the lane is never
     * free.
     */
    private static final int OTHERS_PER_SUSPECT = 16;

    final String name;
    int brisk;
    int writtenOff;
    boolean inTurn;

    private final Map<String, Part> parts = new LinkedHashMap<>();
    private final Map<Object, Integer> runningOf = new HashMap<>();
    private final Set<Object> suspects = new LinkedHashSet<>();
    private int limit = 1;
    private int running;
    private int suspectsRunning;
    private int othersInARow;
    private int waiting;

    Lane(String name) {
        this.name = name;
    }

    /** Adds a call. The lane takes over the limits of the latest call. */
    void add(SubmittedCall call) {
        limit = call.call.laneLimit();
        Part part = parts.computeIfAbsent(call.call.part().name(), name -> new Part());
        part.limit = call.call.part().limit();
        part.queue(suspects.contains(call.subject)).add(call);
        waiting++;
    }

    int waiting() {
        return waiting;
    }

    /** The subject's waiting call with that id, null for none. */
    @Nullable
    SubmittedCall waiting(Object subject, String id) {
        for (Part part : parts.values()) {
            for (boolean suspect : new boolean[] {false, true}) {
                @Nullable SubmittedCall call = part.queue(suspect).find(subject, id);
                if (call != null) {
                    return call;
                }
            }
        }
        return null;
    }

    /** The limit of this lane that the waiting call has reached, for users; {@code ""} for none. */
    String full(SubmittedCall call) {
        Part part = part(call);
        if (running >= limit) {
            return "the limit of concurrent calls of " + name + " is reached: " + limit;
        }
        if (part.running >= part.limit) {
            return "the limit of concurrent calls of " + name + " for "
                    + call.call.part().name() + " is reached: " + part.limit;
        }
        if (suspects.contains(call.subject) && suspectsRunning >= placesOfSuspects()) {
            return "its last call hung, and the limit of concurrent calls of " + name + " for such volumes is reached: "
                    + placesOfSuspects();
        }
        return maySubject(call.subject)
                ? ""
                : "the limit of concurrent calls of " + name + " for one volume is reached: " + placesOfOneSubject();
    }

    void remove(SubmittedCall waitingCall) {
        part(waitingCall).queue(suspects.contains(waitingCall.subject)).remove(waitingCall);
        waiting--;
        forgetIfIdle(waitingCall);
    }

    /** The next call to start, with its places taken; null for none. */
    @Nullable
    SubmittedCall takeNext(OperationExecutor.Limits limits) {
        if (running >= limit
                || brisk >= Math.max(1, limits.running() / 2)
                || writtenOff >= limits.writtenOffPerLane()) {
            return null;
        }
        boolean suspectsTurn = othersInARow >= OTHERS_PER_SUSPECT;
        @Nullable SubmittedCall next = next(suspectsTurn);
        if (next == null) {
            next = next(!suspectsTurn);
        }
        if (next == null) {
            return null;
        }
        next.suspect = suspects.contains(next.subject);
        Part part = part(next);
        part.queue(next.suspect).take(next);
        part.running++;
        running++;
        brisk++;
        waiting--;
        runningOf.merge(next.subject, 1, Integer::sum);
        suspectsRunning += next.suspect ? 1 : 0;
        othersInARow = next.suspect ? 0 : othersInARow + 1;
        return next;
    }

    private @Nullable SubmittedCall next(boolean suspect) {
        if (suspect && suspectsRunning >= placesOfSuspects()) {
            return null;
        }
        @Nullable SubmittedCall next = null;
        for (Part part : parts.values()) {
            @Nullable
            SubmittedCall first =
                    part.running < part.limit ? part.queue(suspect).next(this::maySubject) : null;
            if (first != null && (next == null || first.number < next.number)) {
                next = first;
            }
        }
        return next;
    }

    private boolean maySubject(Object subject) {
        return runningOf.getOrDefault(subject, 0) < placesOfOneSubject();
    }

    /** Three quarters of the places. In a lane with more than one place, at least one place is left for others. */
    private int placesOfOneSubject() {
        return Math.max(1, limit - Math.max(1, limit / 4));
    }

    private int placesOfSuspects() {
        return Math.max(1, limit / 2);
    }

    /** Releases the places of a call that has ended or was written off. */
    void leave(SubmittedCall call) {
        part(call).running--;
        running--;
        suspectsRunning -= call.suspect ? 1 : 0;
        runningOf.computeIfPresent(call.subject, (subject, count) -> count > 1 ? count - 1 : null);
        forgetIfIdle(call);
    }

    /** Records how a subject's call ended. */
    void judge(Object subject, boolean hung) {
        boolean changed = hung ? suspects.add(subject) : suspects.remove(subject);
        if (changed) {
            parts.values().forEach(part -> part.queue(!hung).moveTo(part.queue(hung), subject));
        }
    }

    int suspects() {
        return suspects.size();
    }

    boolean idle() {
        return waiting == 0 && running == 0 && writtenOff == 0;
    }

    private Part part(SubmittedCall call) {
        return Objects.requireNonNull(parts.get(call.call.part().name()), call.id);
    }

    private void forgetIfIdle(SubmittedCall call) {
        Part part = part(call);
        if (part.trusted.isEmpty() && part.suspects.isEmpty() && part.running == 0) {
            parts.remove(call.call.part().name());
        }
    }

    private static final class Part {
        private final FairQueue trusted = new FairQueue();
        private final FairQueue suspects = new FairQueue();
        private int limit = 1;
        private int running;

        FairQueue queue(boolean suspect) {
            return suspect ? suspects : trusted;
        }
    }
}
