package io.volume4j.csi.internal.plugin;

import io.volume4j.csi.internal.client.CsiException;
import io.volume4j.spi.VolumeException;

/**
 * Deletes an object that a driver created and the library cannot use. It would leak otherwise, or the driver would
 * return it at each repetition of the call.
 */
final class TakenBack {
    private TakenBack() {}

    /**
     * Deletes the object.
     *
     * @param refused why the library cannot use it
     * @return final and proving absence if it was deleted; uncertain if not
     */
    static VolumeException after(CsiException refused, Runnable deletion) {
        try {
            deletion.run();
        } catch (CsiException notDeleted) {
            return VolumeException.uncertain(
                            refused.getMessage() + "; and it could not be removed again: " + notDeleted.getMessage())
                    .withCause(refused);
        }
        return VolumeException.finalFailure(refused.getMessage() + "; it was removed again")
                .withAdvice(refused.advice().text())
                .withCause(refused)
                .provingAbsence();
    }
}
