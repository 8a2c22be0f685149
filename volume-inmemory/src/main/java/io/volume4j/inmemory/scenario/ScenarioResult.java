package io.volume4j.inmemory.scenario;

import java.util.List;

/**
 * The result of a scenario.
 * @param failures the failed expectations and broken rules, one text of several lines each
 * @param timeline the calls, writes and faults of the run, in virtual time
 * @param hash a number that is equal for equal runs
 * @since 0.1.0
 */
public record ScenarioResult(
        String source, String name, long seed, List<String> failures, List<String> timeline, long hash) {
    public ScenarioResult {
        failures = List.copyOf(failures);
        timeline = List.copyOf(timeline);
    }

    public boolean passed() {
        return failures.isEmpty();
    }

    /** A report for people: the failures with their differences, the timeline and the seed. */
    public String report() {
        StringBuilder text = new StringBuilder(passed() ? "PASS " : "FAIL ")
                .append(source)
                .append(": ")
                .append(name)
                .append('\n');
        failures.forEach(failure ->
                text.append("  ").append(failure.replace("\n", "\n  ")).append('\n'));
        if (!passed()) {
            text.append("  timeline\n");
            timeline.forEach(line -> text.append("    ").append(line).append('\n'));
            text.append("  seed ")
                    .append(seed)
                    .append(", hash ")
                    .append(Long.toHexString(hash))
                    .append('\n');
        }
        return text.toString();
    }
}
