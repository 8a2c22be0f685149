package io.volume4j.core.explain;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Why something is as it is: what is being done, what comes next and what is waited for.
 *
 * @param subject what it is about
 * @param known whether the reconciler knows of it at all
 * @param notes what a person should know beside that, such as settings of the host that count before those of an object
 * @since 0.1.0
 */
public record Explanation(
        String subject, boolean known, List<StepState> steps, List<String> waits, List<String> notes) {
    public Explanation {
        notes = Collections.unmodifiableList(new ArrayList<>(notes));
        steps = Collections.unmodifiableList(new ArrayList<>(steps));
        waits = Collections.unmodifiableList(new ArrayList<>(waits));
    }

    /** Without notes. */
    public Explanation(String subject, boolean known, List<StepState> steps, List<String> waits) {
        this(subject, known, steps, waits, List.of());
    }

    /** The same with more notes. */
    public Explanation withNotes(List<String> more) {
        List<String> all = new ArrayList<>(notes);
        all.addAll(more);
        return new Explanation(subject, known, steps, waits, all);
    }

    /** Of something that the reconciler does not know, and why that may be. */
    public static Explanation unknown(String subject, String why) {
        return new Explanation(subject, false, List.of(), List.of(why));
    }

    /** Whether nothing is left to do and nothing is waited for. */
    public boolean settled() {
        return known && steps.isEmpty() && waits.isEmpty();
    }

    /**
     * One step that the planner wants.
     *
     * @param detail progress of a running call, or what blocks it or keeps it queued; {@code ""} for nothing
     * @param attempts failed tries in a row
     * @param lastError of the last failed try, with its advice; {@code ""} for none
     * @param nextTry until the next try, zero if it is not put off
     */
    public record StepState(String step, Phase phase, String detail, int attempts, String lastError, Duration nextTry) {
        /** How far it is. */
        public enum Phase {
            READY,
            RECORDING_INTENT,
            /** Its call waits for one of the places for calls. */
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

    /** For a person, one fact a line. */
    public String text() {
        StringBuilder text =
                new StringBuilder(subject).append(settled() ? ": as it should be" : known ? ":" : ": not known here");
        steps.forEach(step -> text.append("\n  ").append(step.text()));
        waits.forEach(wait -> text.append("\n  waiting: ").append(wait));
        notes.forEach(note -> text.append("\n  note: ").append(note));
        return text.toString();
    }
}
