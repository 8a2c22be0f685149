package io.volume4j.core.journal;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Collects what a journal reports, by a name that the test gives to each call, in the order of the reports. */
final class Outcomes {
    private final Map<String, List<AppendOutcome>> byName = new LinkedHashMap<>();

    JournalCallback expect(String name) {
        return outcome -> {
            synchronized (byName) {
                byName.computeIfAbsent(name, key -> new ArrayList<>()).add(outcome);
            }
        };
    }

    /** Names in the order in which they were reported durable. */
    List<String> durable() {
        return names(true);
    }

    List<String> failed() {
        return names(false);
    }

    /** How each was reported: {@code durable}, or the kind of its failure; a second report of one name shows as such. */
    Map<String, String> all() {
        synchronized (byName) {
            Map<String, String> result = new LinkedHashMap<>();
            byName.forEach((name, outcomes) -> result.put(
                    name, String.join("+", outcomes.stream().map(Outcomes::word).toList())));
            return result;
        }
    }

    long sequence(String name) {
        synchronized (byName) {
            List<AppendOutcome> outcomes = byName.getOrDefault(name, List.of());
            if (outcomes.size() == 1 && outcomes.get(0) instanceof AppendOutcome.Durable durable) {
                return durable.sequence();
            }
            throw new AssertionError(name + " was not reported durable once: " + outcomes);
        }
    }

    JournalException failure(String name) {
        synchronized (byName) {
            List<AppendOutcome> outcomes = byName.getOrDefault(name, List.of());
            if (outcomes.size() == 1 && outcomes.get(0) instanceof AppendOutcome.Failed failed) {
                return failed.cause();
            }
            throw new AssertionError(name + " was not reported failed once: " + outcomes);
        }
    }

    private List<String> names(boolean durable) {
        synchronized (byName) {
            return byName.entrySet().stream()
                    .filter(entry -> entry.getValue().get(0).isDurable() == durable)
                    .map(Map.Entry::getKey)
                    .toList();
        }
    }

    private static String word(AppendOutcome outcome) {
        return outcome instanceof AppendOutcome.Failed failed
                ? failed.cause().kind().name()
                : "durable";
    }
}
