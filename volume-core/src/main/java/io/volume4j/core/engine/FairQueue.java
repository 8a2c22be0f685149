package io.volume4j.core.engine;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Waiting calls, by their subjects. Subjects take turns: after one call of a subject, every other subject gets its
 * turn, however many calls of the first wait. The calls of one subject start in their order. Loop thread only.
 */
final class FairQueue {
    /** Each subject's calls by id, at least one. The subject with the next turn comes first. */
    private final Map<Object, Map<String, SubmittedCall>> turns = new LinkedHashMap<>();

    void add(SubmittedCall call) {
        turns.computeIfAbsent(call.subject, subject -> new LinkedHashMap<>(2)).put(call.id, call);
    }

    boolean isEmpty() {
        return turns.isEmpty();
    }

    @Nullable
    SubmittedCall find(Object subject, String id) {
        return turns.getOrDefault(subject, Map.of()).get(id);
    }

    void remove(SubmittedCall call) {
        turns.computeIfPresent(call.subject, (subject, calls) -> {
            calls.remove(call.id);
            return calls.isEmpty() ? null : calls;
        });
    }

    /**
     * The next call whose subject may start one, null if there is none.
     *
     * @param mayStart refuses few subjects; the search skips each refused one
     */
    @Nullable
    SubmittedCall next(Predicate<Object> mayStart) {
        for (Map.Entry<Object, Map<String, SubmittedCall>> turn : turns.entrySet()) {
            if (mayStart.test(turn.getKey())) {
                return turn.getValue().values().iterator().next();
            }
        }
        return null;
    }

    /** Removes the call, and moves its subject to the end of the turns. */
    void take(SubmittedCall call) {
        remove(call);
        Map<String, SubmittedCall> rest = turns.remove(call.subject);
        if (rest != null) {
            turns.put(call.subject, rest);
        }
    }

    /** Moves the subject's calls to another queue. */
    void moveTo(FairQueue other, Object subject) {
        Map<String, SubmittedCall> calls = turns.remove(subject);
        if (calls != null) {
            calls.values().forEach(other::add);
        }
    }
}
