package io.volume4j.spi.plugin;

import io.volume4j.spi.CallContext;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.PersistentVolumeClaim;
import io.volume4j.spi.model.TypedReference;
import java.time.Duration;
import java.util.Objects;

/**
 * Fills new volumes from objects of one kind, such as a backup or a dataset. The library creates a prime claim in its
 * own namespace and waits until that claim has a volume. Then the populator fills the volume, and the library binds
 * the volume to the user's claim. A user's pod never gets a volume that is not filled.
 *
 * <p>The library makes both calls on worker threads, one at a time for one claim. It repeats them after a crash, so
 * they must be idempotent by {@link Request#claimUid}.
 *
 * @since 0.1.0
 */
public interface Populator {
    /** API group of the source objects, {@code ""} for the core group. */
    String sourceGroup();

    /** Kind of the source objects. */
    String sourceKind();

    /**
     * Begins to fill the volume, or reports the progress. Must return soon: long work runs elsewhere, and the library
     * calls this method again.
     *
     * @throws io.volume4j.spi.VolumeException final or infeasible if it cannot be done; the library reports that and
     *     retries rarely
     */
    Progress fill(Request request, CallContext context);

    /**
     * Stops all work for the claim and removes everything that was made for the filling, except the volume. The
     * library calls this after it has bound the volume to the user's claim. It also calls this if the claim was
     * deleted, or if the volume was lost and another one must be filled. {@link #fill} may not have been called
     * before.
     */
    void cleanUp(CleanUpRequest request, CallContext context);

    /**
     * The volume to fill, and its source.
     *
     * @param claimUid UID of the user's claim; identifies repeated calls
     * @param claim the user's claim
     * @param source the object to fill the volume from; always has a namespace
     * @param primeClaim the claim to which the volume is bound during the filling; a pod that fills the volume mounts
     *     this claim
     * @param volume the volume to fill
     */
    record Request(
            String claimUid,
            PersistentVolumeClaim claim,
            TypedReference source,
            PersistentVolumeClaim primeClaim,
            PersistentVolume volume) {}

    /**
     * The claim to clean up. All other objects may no longer exist.
     *
     * @param claimUid as in {@link Request}
     * @param primeNamespace namespace of the prime claim
     * @param primeName name of the prime claim
     */
    record CleanUpRequest(String claimUid, String primeNamespace, String primeName) {}

    /**
     * The progress of the filling.
     * @param done whether the volume durably contains all data
     * @param again after which time to ask again, if it does not
     */
    record Progress(boolean done, Duration again) {
        private static final Progress DONE = new Progress(true, Duration.ZERO);

        public Progress {
            Objects.requireNonNull(again, "again");
        }

        public static Progress complete() {
            return DONE;
        }

        /** Not done; ask again after this time, which must be positive. */
        public static Progress askAgainAfter(Duration time) {
            if (time.isNegative() || time.isZero()) {
                throw new IllegalArgumentException("the time until the next question must be positive, not " + time);
            }
            return new Progress(false, time);
        }
    }
}
