package io.volume4j.examples.csilifecycle;

import java.util.ArrayList;
import java.util.List;

/** The text of a plan. */
record PlanText(List<Plan.Part> parts) {
    PlanText {
        parts = List.copyOf(parts);
    }

    /** The text of what these lives run. */
    static PlanText of(List<Plan.Part> parts, List<PlannedLife> lives) {
        return new PlanText(PlannedLife.all(parts, lives));
    }

    /** The ids of all cases with their rules. */
    String list() {
        StringBuilder text = new StringBuilder();
        for (Plan.Part part : parts) {
            for (Plan.Step step : part.steps()) {
                text.append("%-42s %s%n".formatted(part.id(step), part.rule(step)));
            }
        }
        return text.append("%-42s %s%n".formatted(Report.LEAK_CHECK, Report.LEAK_RULE))
                .toString();
    }

    /** The ids of all cases, and of omitted parts. */
    List<String> ids() {
        List<String> ids = new ArrayList<>();
        for (Plan.Part part : parts) {
            if (part.steps().isEmpty()) {
                ids.add(part.id());
            }
            part.steps().forEach(step -> ids.add(part.id(step)));
        }
        return ids;
    }

    /** The whole plan as text, with numbered steps. */
    String numbered() {
        StringBuilder text = new StringBuilder();
        int number = 0;
        for (Plan.Part part : parts) {
            text.append('\n').append(part.title());
            text.append(part.leftOut().isEmpty() ? "\n" : ": " + part.leftOut() + "\n");
            for (Plan.Step step : part.steps()) {
                text.append("%4d  %-30s %-10s %s"
                                .formatted(++number, step.act().text(), step.item(), step.note())
                                .stripTrailing())
                        .append('\n');
            }
        }
        return text.append("\nleak check\n").toString();
    }
}
