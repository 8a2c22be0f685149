package io.volume4j.ui.rows;

import io.volume4j.core.explain.Explanation;
import io.volume4j.core.explain.Explanation.StepState;
import io.volume4j.core.explain.Explanation.StepState.Phase;
import io.volume4j.core.volumes.NodeSnapshot;
import io.volume4j.core.worlds.VolumeReading;
import io.volume4j.spi.model.ObjectKey;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Converts readings to rows. Pure. */
public final class RowMaker {
    private RowMaker() {}

    /**
     * The row of a volume; null if no pod uses it and the node has nothing of it.
     *
     * @param at the time of the reading
     */
    @Nullable
    public static Row of(String source, VolumeReading reading, Instant at) {
        NodeSnapshot.Desired desired = reading.desired();
        NodeSnapshot.Actual actual = reading.actual();
        if (desired == null && actual == null) {
            return null;
        }
        String specName = desired != null ? desired.specName() : actual == null ? "" : actual.specName();
        Summary summary = Summary.of(reading.explanation(), at, uncertain(actual));
        return new Row(
                source,
                reading.volume().toString(),
                "Volume",
                specName.isEmpty() ? reading.volume().name() : specName,
                "",
                reading.volume().plugin(),
                desired == null ? List.of() : List.copyOf(desired.pods().values()),
                actual == null ? "DETACHED" : actual.attach(),
                actual == null ? "NOT_MOUNTED" : actual.device(),
                actual == null ? "" : actual.devicePath(),
                actual == null
                        ? List.of()
                        : actual.mounts().stream().map(RowMaker::mount).toList(),
                summary.state(),
                summary.why(),
                summary.error(),
                summary.attempts(),
                summary.nextTryMillis());
    }

    /** The row of an object of the cluster; null if the controller does not know it. */
    @Nullable
    public static Row of(String source, ObjectKey object, Explanation explanation, Instant at) {
        if (!explanation.known()) {
            return null;
        }
        Summary summary = Summary.of(explanation, at, false);
        return new Row(
                source,
                object.toString(),
                object.kind().apiName(),
                object.name(),
                object.namespace(),
                "",
                List.of(),
                "",
                "",
                "",
                List.of(),
                summary.state(),
                summary.why(),
                summary.error(),
                summary.attempts(),
                summary.nextTryMillis());
    }

    private static Row.Mount mount(NodeSnapshot.Mount mount) {
        return new Row.Mount(mount.pod(), mount.state(), mount.path(), mount.readOnly());
    }

    private static boolean uncertain(NodeSnapshot.@Nullable Actual actual) {
        return actual != null
                && (actual.attach().equals("UNCERTAIN")
                        || actual.device().equals("UNCERTAIN")
                        || actual.mounts().stream()
                                .anyMatch(mount -> mount.state().equals("UNCERTAIN")));
    }

    /** An explanation in one line. */
    private record Summary(RowState state, String why, String error, int attempts, long nextTryMillis) {
        static Summary of(Explanation explanation, Instant at, boolean uncertain) {
            StepState worst = null;
            for (StepState step : explanation.steps()) {
                if (worst == null || weight(step) > weight(worst)) {
                    worst = step;
                }
            }
            boolean failing = worst != null && worst.attempts() > 0;
            String why = worst != null
                    ? worst.step() + words(worst)
                    : explanation.waits().isEmpty() ? "" : explanation.waits().get(0);
            // The outcome of a running call is always uncertain, so the row shows that it runs.
            boolean underWay = worst != null && worst.phase() != Phase.READY && worst.phase() != Phase.BLOCKED;
            RowState state = failing
                    ? RowState.FAILING
                    : uncertain && !underWay
                            ? RowState.UNCERTAIN
                            : worst != null ? working(worst) : why.isEmpty() ? RowState.OK : RowState.WAITING;
            return new Summary(
                    state,
                    why,
                    worst == null ? "" : worst.lastError(),
                    worst == null ? 0 : worst.attempts(),
                    worst == null || worst.nextTry().isZero()
                            ? 0
                            : at.plus(worst.nextTry()).toEpochMilli());
        }

        private static int weight(StepState step) {
            return step.attempts() > 0 ? 3 : step.phase() == Phase.BLOCKED ? 1 : 2;
        }

        private static RowState working(StepState step) {
            return step.phase() == Phase.BLOCKED ? RowState.WAITING : RowState.WORKING;
        }

        private static String words(StepState step) {
            String phase = switch (step.phase()) {
                case READY -> ": next";
                case RECORDING_INTENT -> ": recording the intent";
                case QUEUED -> ": queued";
                case RUNNING -> ": running";
                case BLOCKED -> ": blocked";
                case BACKING_OFF -> ": waits for its next try";
            };
            return step.detail().isEmpty() ? phase : phase + " (" + step.detail() + ")";
        }
    }
}
