package io.volume4j.core.engine;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Calls that wait, by their subjects. Subjects take turns: however many calls of one subject wait, each other subject gets its
 * turn after one of them. Among the calls of one subject the first to come goes first. Loop thread only.
 */
final class FairQueue {
    /** Each with a call at least, by their ids; the subject whose turn it is comes first. */
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
     * The next call whose subject may have one, null if there is none.
     *
     * @param mayStart refuses few subjects: each that it refuses is passed over
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

    /** Takes the call out, and puts its subject at the end of the turns. */
    void take(SubmittedCall call) {
        remove(call);
        Map<String, SubmittedCall> rest = turns.remove(call.subject);
        if (rest != null) {
            turns.put(call.subject, rest);
        }
    }

    /** Hands the subject's calls over to another queue. */
    void moveTo(FairQueue other, Object subject) {
        Map<String, SubmittedCall> calls = turns.remove(subject);
        if (calls != null) {
            calls.values().forEach(other::add);
        }
    }
}
