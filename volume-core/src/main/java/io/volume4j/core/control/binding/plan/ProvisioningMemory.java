package io.volume4j.core.control.binding.plan;

import io.volume4j.spi.FailureKind;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.plugin.Provisioner.ProvisionResult;
import org.jspecify.annotations.Nullable;

/**
 * Outcomes of this process's calls for one claim. They are lost with the process; therefore the intent is durable.
 *
 * @param uncertain whether a call of this process may have made storage that no later call has found or excluded
 * @param provenAbsent whether a call proved that no storage exists, not even from calls of earlier processes
 * @param tried whether a call failed since the intent was written
 * @param made the result of a call, until its object is stored
 * @param saveRefused why the cluster will never store that object
 * @param cleanupFailed whether deleting the storage without an object failed too
 * @param lastFailure of the last call that failed
 * @param called the intent of the last call; null without one since the intent was closed
 */
public record ProvisioningMemory(
        boolean uncertain,
        boolean provenAbsent,
        boolean tried,
        @Nullable ProvisionResult made,
        @Nullable VolumeException saveRefused,
        boolean cleanupFailed,
        @Nullable VolumeException lastFailure,
        @Nullable ProvisioningIntent called) {
    private static final ProvisioningMemory NOTHING =
            new ProvisioningMemory(false, false, false, null, null, false, null, null);

    public static ProvisioningMemory nothing() {
        return NOTHING;
    }

    /** After a call for this intent, whatever came of it. */
    public ProvisioningMemory called(ProvisioningIntent intent) {
        return new ProvisioningMemory(
                uncertain, provenAbsent, tried, made, saveRefused, cleanupFailed, lastFailure, intent);
    }

    /** After a call that made the storage. */
    public ProvisioningMemory made(ProvisionResult result) {
        return new ProvisioningMemory(false, false, false, result, null, false, null, called);
    }

    /** After a call that failed. A failure shows only the effect of its own call, unless it proves more. */
    public ProvisioningMemory failed(VolumeException failure) {
        boolean clean = failure.provesAbsent();
        return new ProvisioningMemory(
                !clean && (uncertain || failure.kind() == FailureKind.UNCERTAIN),
                clean || (provenAbsent && failure.kind() != FailureKind.UNCERTAIN),
                true,
                null,
                null,
                false,
                failure,
                called);
    }

    /** After the cluster refused to store the object of new storage. */
    public ProvisioningMemory refused(VolumeException failure) {
        return new ProvisioningMemory(uncertain, provenAbsent, tried, made, failure, false, failure, called);
    }

    /** After an attempt to store the object of new storage failed; the next attempt may succeed. */
    public ProvisioningMemory notSaved(VolumeException failure) {
        return new ProvisioningMemory(
                uncertain, provenAbsent, tried, made, saveRefused, cleanupFailed, failure, called);
    }

    /** After deleting the storage that could not be saved failed. */
    public ProvisioningMemory stillMade(VolumeException failure) {
        return new ProvisioningMemory(uncertain, provenAbsent, tried, made, saveRefused, true, failure, called);
    }

    /** After the storage that could not be saved was deleted. */
    public ProvisioningMemory unsavedDeleted() {
        return new ProvisioningMemory(false, true, false, null, null, false, saveRefused, called);
    }

    /** After the intent was closed. The next attempt starts again, but users may still want to see the failure. */
    public ProvisioningMemory closed() {
        return new ProvisioningMemory(false, false, false, null, null, false, lastFailure, null);
    }

    /** Whether a volume may exist that only the open intent refers to. */
    boolean doubt(ProvisioningIntent intent) {
        return made != null || uncertain || (intent.inherited() && !provenAbsent);
    }

    /** Whether this process has made exactly the call that the intent describes. */
    boolean hasCalled(ProvisioningIntent intent) {
        return called != null && called.sameCall(intent);
    }

    /** Whether the last call returned and left no storage. */
    boolean settledWithout(ProvisioningIntent intent) {
        return tried && !doubt(intent);
    }
}
