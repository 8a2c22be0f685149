package io.volume4j.core.control.binding.plan;

import io.volume4j.spi.FailureKind;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.plugin.Provisioner.ProvisionResult;
import org.jspecify.annotations.Nullable;

/**
 * What this process remembers of its own calls for one claim; lost with the process, which is why the intent is durable.
 *
 * @param uncertain whether a call of this process may have made something that no later call has accounted for
 * @param provenAbsent whether a call proved that nothing is left, of earlier processes' calls either
 * @param tried whether a call was made and failed since the intent was written
 * @param made what a call made, until its object is stored
 * @param saveRefused why the cluster will never store that object as it is
 * @param cleanupFailed whether destroying what could not be stored failed too
 * @param lastFailure of the last call that failed
 */
public record ProvisioningMemory(
        boolean uncertain,
        boolean provenAbsent,
        boolean tried,
        @Nullable ProvisionResult made,
        @Nullable VolumeException saveRefused,
        boolean cleanupFailed,
        @Nullable VolumeException lastFailure) {
    private static final ProvisioningMemory NOTHING =
            new ProvisioningMemory(false, false, false, null, null, false, null);

    public static ProvisioningMemory nothing() {
        return NOTHING;
    }

    /** After a call that made the storage. */
    public ProvisioningMemory made(ProvisionResult result) {
        return new ProvisioningMemory(false, false, false, result, null, false, null);
    }

    /** After a call that failed: a failure speaks for its own call only, unless it proves more. */
    public ProvisioningMemory failed(VolumeException failure) {
        boolean clean = failure.provesAbsent();
        return new ProvisioningMemory(
                !clean && (uncertain || failure.kind() == FailureKind.UNCERTAIN),
                clean || (provenAbsent && failure.kind() != FailureKind.UNCERTAIN),
                true,
                null,
                null,
                false,
                failure);
    }

    /** After the cluster refused to store the object of what was made. */
    public ProvisioningMemory refused(VolumeException failure) {
        return new ProvisioningMemory(uncertain, provenAbsent, tried, made, failure, false, failure);
    }

    /** After the object of what was made could not be stored, but may be at the next try. */
    public ProvisioningMemory notSaved(VolumeException failure) {
        return new ProvisioningMemory(uncertain, provenAbsent, tried, made, saveRefused, cleanupFailed, failure);
    }

    /** After destroying the storage that could not be saved failed. */
    public ProvisioningMemory stillMade(VolumeException failure) {
        return new ProvisioningMemory(uncertain, provenAbsent, tried, made, saveRefused, true, failure);
    }

    /** After the storage that could not be saved was destroyed. */
    public ProvisioningMemory unsavedDeleted() {
        return new ProvisioningMemory(false, true, false, null, null, false, saveRefused);
    }

    /** After the intent was closed: what comes next begins anew, though people may still want to know of the failure. */
    public ProvisioningMemory closed() {
        return new ProvisioningMemory(false, false, false, null, null, false, lastFailure);
    }

    /** Whether a volume may exist that nothing but the open intent tells of. */
    boolean doubt(ProvisioningIntent intent) {
        return made != null || uncertain || (intent.inherited() && !provenAbsent);
    }

    /** Whether the last call came back and left nothing. */
    boolean settledWithout(ProvisioningIntent intent) {
        return tried && !doubt(intent);
    }
}
