package io.volume4j.core.explain;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Explains the state of a volume, a pod or another object: running steps, next steps and reasons for waiting.
 * @param subject the subject of the explanation
 * @param known whether the reconciler knows the subject
 * @param steps the steps that the planner wants
 * @param waits the reasons for waiting, for people
 * @param notes further information for a person, such as settings of the host that override those of an object
 * @since 0.1.0
 */
public record Explanation(
        String subject, boolean known, List<StepState> steps, List<String> waits, List<String> notes) {
    public Explanation {
        notes = Collections.unmodifiableList(new ArrayList<>(notes));
        steps = Collections.unmodifiableList(new ArrayList<>(steps));
        waits = Collections.unmodifiableList(new ArrayList<>(waits));
    }

    /** An explanation without notes. */
    public Explanation(String subject, boolean known, List<StepState> steps, List<String> waits) {
        this(subject, known, steps, waits, List.of());
    }

    /** The same explanation with more notes. */
    public Explanation withNotes(List<String> more) {
        List<String> all = new ArrayList<>(notes);
        all.addAll(more);
        return new Explanation(subject, known, steps, waits, all);
    }

    /** The explanation of an unknown subject, with a possible reason. */
    public static Explanation unknown(String subject, String why) {
        return new Explanation(subject, false, List.of(), List.of(why));
    }

    /** Whether there are no steps and no reasons for waiting. */
    public boolean settled() {
        return known && steps.isEmpty() && waits.isEmpty();
    }

    /**
     * One step that the planner wants.
     *
     * @param step its description, for people
     * @param kind the name of its kind, for programs: {@code MOUNT}, as in the timeline and in metrics of steps
     * @param detail the progress of a running call, or the reason why the step is blocked or queued; {@code ""} for
     *     none
     * @param attempts the number of consecutive failed tries
     * @param lastError the error of the last failed try, with its advice; {@code ""} for none
     * @param nextTry the time until the next try, zero if there is no delay
     */
    public record StepState(
            String step, String kind, Phase phase, String detail, int attempts, String lastError, Duration nextTry) {
        /** The phase of a step. */
        public enum Phase {
            READY,
            RECORDING_INTENT,
            /** The call waits, because the limit of concurrent calls is reached. */
            QUEUED,
            RUNNING,
            BLOCKED,
            BACKING_OFF
        }

        /** One line for a person. */
        public String text() {
            StringBuilder line = new StringBuilder(step);
            switch (phase) {
                case READY -> line.append(": next");
                case RECORDING_INTENT -> line.append(": recording the intent");
                case QUEUED -> line.append(": queued");
                case RUNNING -> line.append(": running");
                case BLOCKED -> line.append(": blocked");
                case BACKING_OFF ->
                    line.append(": failed ")
                            .append(attempts)
                            .append(attempts == 1 ? " time" : " times")
                            .append(", next try in ")
                            .append(nextTry.toMillis())
                            .append(" ms");
            }
            if (!detail.isEmpty()) {
                line.append(" (").append(detail).append(')');
            }
            if (!lastError.isEmpty()) {
                line.append("; last error: ").append(lastError);
            }
            return line.toString();
        }
    }

    /** A text for people, with one fact on each line. */
    public String text() {
        StringBuilder text =
                new StringBuilder(subject).append(settled() ? ": as it should be" : known ? ":" : ": not known here");
        steps.forEach(step -> text.append("\n  ").append(step.text()));
        waits.forEach(wait -> text.append("\n  waiting: ").append(wait));
        notes.forEach(note -> text.append("\n  note: ").append(note));
        return text.toString();
    }
}
