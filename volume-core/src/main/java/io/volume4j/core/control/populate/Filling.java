package io.volume4j.core.control.populate;

import io.volume4j.spi.VolumeException;
import org.jspecify.annotations.Nullable;

/**
 * What this process remembers of filling one volume; lost with the process, and then asked for again. It speaks of that volume only: a
 * claim may get another one, because the first was lost, and what was done to the first says nothing of it.
 *
 * @param epoch of the leader that this process was when it heard this
 * @param volumeUid of the volume that was to be filled, {@code ""} if none was or everything beside it is gone again
 * @param done whether the volume is filled
 * @param cleaned whether everything beside the volume is gone again
 * @param askAt loop time before which nothing is asked
 * @param failure of the last call, null if it did not fail
 */
public record Filling(
        long epoch,
        String volumeUid,
        boolean done,
        boolean cleaned,
        long askAt,
        @Nullable VolumeException failure) {
    private static final Filling NOTHING = begin(0);

    public static Filling nothing() {
        return NOTHING;
    }

    /** The same for that leader: nothing if it is of another one. */
    public Filling of(long leader) {
        return epoch == leader ? this : begin(leader);
    }

    public Filling filled(String volume) {
        return new Filling(epoch, volume, true, false, Long.MIN_VALUE, null);
    }

    public Filling notBefore(String volume, long at) {
        return new Filling(epoch, volume, false, false, at, null);
    }

    /** Something may have been begun that is to be cleaned up. */
    public Filling fillFailed(String volume, VolumeException why) {
        return new Filling(epoch, volume, false, false, askAt, why);
    }

    public Filling cleanedUp() {
        return new Filling(epoch, "", false, true, Long.MIN_VALUE, null);
    }

    public Filling cleanUpFailed(VolumeException why) {
        return new Filling(epoch, volumeUid, done, cleaned, askAt, why);
    }

    /** Whether it speaks of another volume than that one. */
    boolean ofAnother(String volume) {
        return !volumeUid.isEmpty() && !volumeUid.equals(volume);
    }

    private static Filling begin(long leader) {
        return new Filling(leader, "", false, false, Long.MIN_VALUE, null);
    }
}
