package io.volume4j.core.control.populate;

import io.volume4j.spi.VolumeException;
import org.jspecify.annotations.Nullable;

/**
 * What this process remembers of filling one volume; lost with the process, and then asked for again.
 *
 * @param epoch of the leader that this process was when it heard this
 * @param done whether the volume is filled
 * @param cleaned whether everything beside the volume is gone again
 * @param askAt loop time before which nothing is asked
 * @param failure of the last call, null if it did not fail
 */
public record Filling(
        long epoch,
        boolean done,
        boolean cleaned,
        long askAt,
        @Nullable VolumeException failure) {
    private static final Filling NOTHING = new Filling(0, false, false, Long.MIN_VALUE, null);

    public static Filling nothing() {
        return NOTHING;
    }

    /** The same for that leader: nothing if it is of another one. */
    public Filling of(long leader) {
        return epoch == leader ? this : new Filling(leader, false, false, Long.MIN_VALUE, null);
    }

    public Filling filled() {
        return new Filling(epoch, true, false, Long.MIN_VALUE, null);
    }

    public Filling notBefore(long at) {
        return new Filling(epoch, false, false, at, null);
    }

    public Filling cleanedUp() {
        return new Filling(epoch, done, true, Long.MIN_VALUE, null);
    }

    public Filling failed(VolumeException why) {
        return new Filling(epoch, done, cleaned, askAt, why);
    }
}
