package io.volume4j.core.control.snapshot;

import io.volume4j.spi.FailureKind;
import io.volume4j.spi.VolumeException;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What this process remembers of its own calls for one content; lost with the process, which is why the intent is durable.
 *
 * @param uncertain whether a call of this process may have cut something that no later call has accounted for
 * @param provenAbsent whether a call proved that nothing is there, of earlier processes' calls either
 * @param tried whether a call to cut was made and failed since the intent was written
 * @param seen what the backend said last, null before
 * @param missing whether the backend said last that there is no such snapshot
 * @param looks how often in a row the backend said that it is not ready
 * @param lookedAt loop time of the last time, meaningless before the first
 * @param discarded whether the backend destroyed it
 * @param failure of the last call, null if it went well
 * @param refused what the backend refused for good, null if it did not
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
     * @param why in the backend's words
     * @param times how often in a row
     * @param at loop time of the last time
     */
    record Refusal(Map<String, String> parameters, String why, int times, long at) {
        private static final Duration FIRST = Duration.ofMinutes(2);
        private static final Duration LONGEST = Duration.ofHours(1);

        /** Loop time before which the same is not asked for again: 2 minutes after the first refusal, doubling to 1 hour. */
        long until() {
            Duration pause = FIRST.multipliedBy(1L << Math.min(times - 1, 10));
            return at + (pause.compareTo(LONGEST) > 0 ? LONGEST : pause).toNanos();
        }
    }

    public static SnapshotMemory nothing() {
        return NOTHING;
    }

    /** After a call that told of it. */
    public SnapshotMemory saw(SnapshotResult result, long at) {
        return new SnapshotMemory(false, false, false, result, false, looks + 1, at, false, null, null);
    }

    /** After a call that told that there is none. */
    public SnapshotMemory sawNone(long at) {
        return new SnapshotMemory(uncertain, provenAbsent, tried, null, true, looks + 1, at, false, null, refused);
    }

    /** After a call to cut that failed: a failure speaks for its own call only, unless it proves more. */
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

    /** After the backend destroyed it. */
    public SnapshotMemory gone() {
        return new SnapshotMemory(false, true, false, null, true, 0, 0, true, null, null);
    }

    /** After the intent was closed: what comes next begins anew, though people may still want to know of the failure. */
    public SnapshotMemory closed() {
        return new SnapshotMemory(false, false, false, seen, missing, looks, lookedAt, discarded, failure, refused);
    }

    /** Whether something may be there that nothing but the open intent tells of. */
    boolean doubt(SnapshotIntent intent) {
        return seen != null || uncertain || (intent.inherited() && !provenAbsent);
    }

    /** Whether the last call said that the same call will never succeed. */
    boolean hopeless() {
        return tried && failure != null && forGood(failure);
    }

    private static boolean forGood(VolumeException failure) {
        return failure.kind() == FailureKind.FINAL || failure.kind() == FailureKind.INFEASIBLE;
    }
}
