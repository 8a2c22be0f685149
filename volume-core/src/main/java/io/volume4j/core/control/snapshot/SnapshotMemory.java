package io.volume4j.core.control.snapshot;

import io.volume4j.spi.FailureKind;
import io.volume4j.spi.VolumeException;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Outcomes of this process's calls for one content. They are lost with the process; therefore the intent is durable.
 *
 * @param uncertain whether a call of this process may have created a snapshot that no later call has found or excluded
 * @param provenAbsent whether a call proved that no snapshot exists, not even from calls of earlier processes
 * @param tried whether a create call failed since the intent was written
 * @param seen the last result of the backend, null before
 * @param missing whether the backend's last answer was that the snapshot does not exist
 * @param looks how often in a row the backend answered that it is not ready
 * @param lookedAt loop time of the last query, meaningless before the first
 * @param discarded whether the backend deleted it
 * @param failure of the last call, null if it succeeded
 * @param refused the last permanent refusal of the backend, null for none
 */
public record SnapshotMemory(
        boolean uncertain,
        boolean provenAbsent,
        boolean tried,
        @Nullable SnapshotResult seen,
        boolean missing,
        int looks,
        long lookedAt,
        boolean discarded,
        @Nullable VolumeException failure,
        @Nullable Refusal refused) {
    private static final SnapshotMemory NOTHING =
            new SnapshotMemory(false, false, false, null, false, 0, 0, false, null, null);

    /**
     * A refusal of the same parameters.
     *
     * @param why the backend's message
     * @param times how often in a row
     * @param at loop time of the last time
     */
    record Refusal(Map<String, String> parameters, String why, int times, long at) {
        private static final Duration FIRST = Duration.ofMinutes(2);
        private static final Duration LONGEST = Duration.ofHours(1);

        /**
         * Loop time before which the controller does not repeat the call: 2 minutes after the first refusal, doubling to 1 hour.
         */
        long until() {
            Duration pause = FIRST.multipliedBy(1L << Math.min(times - 1, 10));
            return at + (pause.compareTo(LONGEST) > 0 ? LONGEST : pause).toNanos();
        }
    }

    public static SnapshotMemory nothing() {
        return NOTHING;
    }

    /** After a call that returned the snapshot. */
    public SnapshotMemory saw(SnapshotResult result, long at) {
        return new SnapshotMemory(false, false, false, result, false, looks + 1, at, false, null, null);
    }

    /** After a query that found no snapshot. */
    public SnapshotMemory sawNone(long at) {
        return new SnapshotMemory(uncertain, provenAbsent, tried, null, true, looks + 1, at, false, null, refused);
    }

    /** After a create call that failed. A failure shows only the effect of its own call, unless it proves more. */
    public SnapshotMemory failed(VolumeException why, Map<String, String> parameters, long at) {
        int before = refused != null && refused.parameters().equals(parameters) ? refused.times() : 0;
        boolean clean = why.provesAbsent();
        return new SnapshotMemory(
                !clean && (uncertain || why.kind() == FailureKind.UNCERTAIN),
                clean || (provenAbsent && why.kind() != FailureKind.UNCERTAIN),
                true,
                seen,
                missing,
                looks,
                lookedAt,
                false,
                why,
                forGood(why) ? new Refusal(parameters, String.valueOf(why.getMessage()), before + 1, at) : null);
    }

    /** After any other call that failed. */
    public SnapshotMemory troubled(VolumeException why) {
        return new SnapshotMemory(
                uncertain, provenAbsent, tried, seen, missing, looks, lookedAt, discarded, why, refused);
    }

    /** After the backend deleted it. */
    public SnapshotMemory gone() {
        return new SnapshotMemory(false, true, false, null, true, 0, 0, true, null, null);
    }

    /** After the intent was closed. The next attempt starts again, but users may still want to see the failure. */
    public SnapshotMemory closed() {
        return new SnapshotMemory(false, false, false, seen, missing, looks, lookedAt, discarded, failure, refused);
    }

    /** Whether a snapshot may exist that only the open intent refers to. */
    boolean doubt(SnapshotIntent intent) {
        return seen != null || uncertain || (intent.inherited() && !provenAbsent);
    }

    /** Whether the last call showed that the same call will never succeed. */
    boolean hopeless() {
        return tried && failure != null && forGood(failure);
    }

    private static boolean forGood(VolumeException failure) {
        return failure.kind() == FailureKind.FINAL || failure.kind() == FailureKind.INFEASIBLE;
    }
}
