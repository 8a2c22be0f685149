package io.volume4j.spi.plugin;

import io.volume4j.spi.CallContext;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.PersistentVolumeClaim;
import io.volume4j.spi.model.TypedReference;
import java.time.Duration;
import java.util.Objects;

/**
 * Fills new volumes from objects of one kind, such as a backup or a dataset. The library makes a claim of its own in a namespace of its
 * own, waits until that has a volume, has this fill it, and then gives the volume to the claim that asked for it. A user's pod never
 * sees a volume that is not filled.
 *
 * <p>Both calls are made from worker threads, one at a time for one claim, and again after any crash: they must be idempotent by {@link
 * Request#claimUid}.
 *
 * @since 0.1.0
 */
public interface Populator {
    /** API group of the objects, {@code ""} for the core group. */
    String sourceGroup();

    /** Kind of the objects. */
    String sourceKind();

    /**
     * Begins to fill the volume, or tells how far that is. Returns soon; what takes long runs elsewhere, and this is called again.
     *
     * @throws io.volume4j.spi.VolumeException final or infeasible if it cannot be done; that is told, and tried again now and then
     */
    Progress fill(Request request, CallContext context);

    /**
     * Ends what is still running for the claim and removes what was made for the filling, but not the volume. Called once the volume is
     * its claim's, and also if the claim is given up, or another volume is to be filled because the first was lost, whether or not {@link
     * #fill} was called before.
     */
    void cleanUp(CleanUpRequest request, CallContext context);

    /**
     * What to fill.
     *
     * @param claimUid of the claim that asked for it, which makes the calls idempotent
     * @param claim that asked for it
     * @param source what it is to be filled from, its namespace always given
     * @param primeClaim to which the volume is bound meanwhile; a pod that fills it mounts this one
     * @param volume that is to be filled
     */
    record Request(
            String claimUid,
            PersistentVolumeClaim claim,
            TypedReference source,
            PersistentVolumeClaim primeClaim,
            PersistentVolume volume) {}

    /**
     * What to clean up; everything else may be gone.
     *
     * @param claimUid as it was in {@link Request}
     * @param primeNamespace namespace of the claim that was made for the filling
     * @param primeName its name
     */
    record CleanUpRequest(String claimUid, String primeNamespace, String primeName) {}

    /**
     * How far the filling is.
     *
     * @param done whether the volume holds all of it, durably
     * @param again when to ask again if it does not
     */
    record Progress(boolean done, Duration again) {
        private static final Progress DONE = new Progress(true, Duration.ZERO);

        public Progress {
            Objects.requireNonNull(again, "again");
        }

        public static Progress complete() {
            return DONE;
        }

        /** Not yet. */
        public static Progress askAgainAfter(Duration time) {
            if (time.isNegative() || time.isZero()) {
                throw new IllegalArgumentException("the time until the next question must be positive, not " + time);
            }
            return new Progress(false, time);
        }
    }
}
