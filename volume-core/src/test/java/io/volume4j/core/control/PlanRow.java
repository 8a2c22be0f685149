package io.volume4j.core.control;

import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.core.codec.Manifests;
import io.volume4j.core.control.host.ClusterStep;
import io.volume4j.core.control.host.ClusterWork;
import io.volume4j.core.control.host.ObjectWrite;
import io.volume4j.core.engine.Plan;
import io.volume4j.core.engine.Wait;
import io.volume4j.spi.host.Patch.FieldChange;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * One row of a planner's table: the rule, what is known, what is done about it and what is waited for.
 *
 * <p>A step is written as {@link #text} says, a wait by its reason. {@code …} at the end stands for any more text.
 */
public record PlanRow<V>(String rule, V view, List<String> steps, List<String> waits) {
    /** What is done, and nothing is waited for. */
    public static <V> PlanRow<V> row(String rule, V view, String... steps) {
        return new PlanRow<>(rule, view, List.of(steps), List.of());
    }

    /** The same, and this is waited for or looked at again. */
    public PlanRow<V> waits(String... reasons) {
        return new PlanRow<>(rule, view, steps, List.of(reasons));
    }

    /** Asks the planner. */
    public void check(Function<V, Plan<ClusterStep>> planner) {
        Plan<ClusterStep> plan = planner.apply(view);
        compare("steps", plan.steps().stream().map(PlanRow::text).toList(), steps);
        compare("waits", plan.waits().stream().map(Wait::why).toList(), waits);
    }

    private static void compare(String what, List<String> actual, List<String> expected) {
        boolean same = actual.size() == expected.size();
        for (int i = 0; same && i < actual.size(); i++) {
            String wanted = expected.get(i);
            same = wanted.endsWith("…")
                    ? actual.get(i).startsWith(wanted.substring(0, wanted.length() - 1))
                    : actual.get(i).equals(wanted);
        }
        if (!same) {
            assertThat(actual).as(what).isEqualTo(expected);
        }
    }

    /** The object of a manifest. */
    public static <T> T object(Class<T> type, String yaml) {
        return type.cast(Manifests.read("table", yaml).get(0));
    }

    /** A condition of a claim, by which the leader of that epoch says its intent; with a message if there is one. */
    public static String intent(String type, long epoch, String message) {
        return "{type: " + type + ", status: \"True\", reason: LeaderEpoch" + epoch
                + (message.isEmpty() ? "}" : ", message: " + message + "}");
    }

    /**
     * A write with all that it sets, {@code write PersistentVolume v: spec.claimRef=null}, with {@code /status} behind the kind if it
     * is one of the status; an event, {@code tell Warning ProvisioningFailed: why}; of any other step the kind and the words,
     * {@code DELETE delete the storage of volume v with mem}.
     */
    public static String text(ClusterStep step) {
        if (step instanceof ClusterWork.Write write) {
            return write.writes().stream().map(PlanRow::text).collect(Collectors.joining("; "));
        }
        if (step instanceof ClusterWork.Tell tell) {
            return tell.events().stream()
                    .map(event -> "tell " + word(event.type()) + " " + event.reason() + ": " + event.message())
                    .collect(Collectors.joining("; "));
        }
        return step.kind() + " " + step.describe();
    }

    private static String word(Enum<?> type) {
        return type.name().charAt(0) + type.name().substring(1).toLowerCase(Locale.ROOT);
    }

    private static String text(ObjectWrite write) {
        return "write " + write.key().kind().apiName() + (write.status() ? "/status " : " ")
                + write.key().name() + ": "
                + write.changes().stream().map(PlanRow::text).collect(Collectors.joining(", "));
    }

    private static String text(FieldChange change) {
        return String.join(".", change.path()) + "=" + change.value();
    }

    @Override
    public String toString() {
        return rule;
    }
}
