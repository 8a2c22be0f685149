package io.volume4j.core.engine;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The calls of one plugin, those that wait and how many run. A call needs a place in the lane and, if it belongs to a part with
 * a limit of its own, one of the part's as well. Calls start in the order in which they came, but those of a part that is full
 * are passed over: they delay no other call, and the one that has waited longest goes first as soon as its part has a place.
 *
 * <p>Subjects (volumes, objects) share a lane fairly. They take turns, and one of them never has all places. A subject whose
 * last call hung is suspect: its calls go last, in half of the places, so that storage that hangs at every call delays the
 * storage that does not by its first call only. Loop thread only.
 */
final class Lane {
    /** Suspects start one call for so many of others, so that they are tried even while the lane is never free. */
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

    /** The limits are those that came with the latest call. */
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

    /** The subject's call of that id, if it waits. */
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

    /** Which limit is reached that the waiting call needs a place under, for a person; {@code ""} if none in this lane. */
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

    /** The call that may start now, with its places taken; null if none may. */
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

    /** All but a quarter, and in a lane of more than one place all but one at least. */
    private int placesOfOneSubject() {
        return Math.max(1, limit - Math.max(1, limit / 4));
    }

    private int placesOfSuspects() {
        return Math.max(1, limit / 2);
    }

    /** Gives back the places of a call that runs no more, or that was written off. */
    void leave(SubmittedCall call) {
        part(call).running--;
        running--;
        suspectsRunning -= call.suspect ? 1 : 0;
        runningOf.computeIfPresent(call.subject, (subject, count) -> count > 1 ? count - 1 : null);
        forgetIfIdle(call);
    }

    /** Notes how a subject's call ended. */
    void judge(Object subject, boolean hung) {
        boolean changed = hung ? suspects.add(subject) : suspects.remove(subject);
        if (changed) {
            parts.values().forEach(part -> part.queue(!hung).moveTo(part.queue(hung), subject));
        }
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
