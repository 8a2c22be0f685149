package io.volume4j.core.control.populate;

import io.volume4j.spi.VolumeException;
import org.jspecify.annotations.Nullable;

/**
 * Outcomes of filling one volume in this process. If they are lost with the process, the controller asks again. They concern that
 * volume only: if the first volume is lost, the claim gets another one, which is not filled.
 *
 * @param epoch of this process as leader at that time
 * @param volumeUid of the volume to fill, {@code ""} if there was none or everything besides it is removed
 * @param done whether the volume is filled
 * @param cleaned whether everything besides the volume is removed
 * @param askAt loop time before which the controller does not ask
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

    /** The outcomes for that leader; empty if these are of another one. */
    public Filling of(long leader) {
        return epoch == leader ? this : begin(leader);
    }

    public Filling filled(String volume) {
        return new Filling(epoch, volume, true, false, Long.MIN_VALUE, null);
    }

    public Filling notBefore(String volume, long at) {
        return new Filling(epoch, volume, false, false, at, null);
    }

    /** The populator may have begun something that needs a cleanup. */
    public Filling fillFailed(String volume, VolumeException why) {
        return new Filling(epoch, volume, false, false, askAt, why);
    }

    public Filling cleanedUp() {
        return new Filling(epoch, "", false, true, Long.MIN_VALUE, null);
    }

    public Filling cleanUpFailed(VolumeException why) {
        return new Filling(epoch, volumeUid, done, cleaned, askAt, why);
    }

    /** Whether these are the outcomes of another volume. */
    boolean ofAnother(String volume) {
        return !volumeUid.isEmpty() && !volumeUid.equals(volume);
    }

    private static Filling begin(long leader) {
        return new Filling(leader, "", false, false, Long.MIN_VALUE, null);
    }
}
