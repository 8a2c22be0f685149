package io.volume4j.core.control.binding.plan;

import io.volume4j.core.control.host.ObjectWrite;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.PersistentVolumeClaim;
import io.volume4j.spi.model.Quantity;
import io.volume4j.spi.model.VolumePhase;
import io.volume4j.spi.model.WellKnown;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The four writes that bind a claim and a volume, in their order: the volume's spec, its status, the claim's spec, its status. A
 * write that would change nothing is omitted. So after a crash between them the same function returns the rest. Only the first
 * write arbitrates: it requires the revision from the decision, so the second writer fails.
 */
final class Binding {
    private Binding() {}

    /**
     * The writes that are still necessary.
     *
     * @param dropIntent whether the claim's provisioning intent is fulfilled or void, so that write 3 removes it
     */
    static List<ObjectWrite> writes(
            PersistentVolumeClaim claim, PersistentVolume volume, Quantity capacity, boolean dropIntent) {
        List<ObjectWrite> writes = new ArrayList<>(4);
        VolumeWrites.reserve(volume, claim).ifPresent(writes::add);
        VolumeWrites.phase(volume, VolumePhase.BOUND).ifPresent(writes::add);
        ClaimWrites.complete(claim, volume.metadata().name(), dropIntent).ifPresent(writes::add);
        ClaimWrites.bound(claim, volume, capacity).ifPresent(writes::add);
        return writes;
    }

    /** The size that the claim gets with the volume; empty for a volume without a size, which cannot be bound. */
    static Optional<Quantity> capacity(PersistentVolume volume) {
        String before = volume.metadata().annotation(WellKnown.PRE_RESIZE_CAPACITY);
        if (!before.isEmpty()) {
            try {
                return Optional.of(Quantity.parse(before));
            } catch (IllegalArgumentException notASize) {
                // An invalid annotation of another program must not keep the claim from its volume.
                return Optional.ofNullable(volume.spec().capacity());
            }
        }
        @Nullable Quantity capacity = volume.spec().capacity();
        return Optional.ofNullable(capacity);
    }
}
