package io.volume4j.core.control.binding;

import io.volume4j.core.control.binding.plan.Repairs;
import io.volume4j.core.control.host.CareCalls;
import io.volume4j.core.control.host.ClusterCalls;
import io.volume4j.core.control.host.ObjectWrite;
import io.volume4j.core.control.host.PluginAccess;
import io.volume4j.spi.CallContext;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.host.ClusterException;
import io.volume4j.spi.host.ClusterException.Reason;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.ObjectReference;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.PersistentVolumeClaim;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Operations that users request by name because they must not happen automatically. Each reads from the store, decides with
 * {@link Repairs}, and writes on condition that the object has not changed. So a change in between makes it fail without harm. On
 * worker threads.
 */
final class VolumeCare {
    private final CareCalls calls;
    private final LiveCheck live;
    private final PluginAccess plugins;

    VolumeCare(CareCalls calls, LiveCheck live, PluginAccess plugins) {
        this.calls = calls;
        this.live = live;
        this.plugins = plugins;
    }

    /** @param claim the claim that gets the volume, null for any claim that fits */
    PersistentVolume release(String name, @Nullable ObjectKey claim, CallContext context) {
        PersistentVolume volume = read(ObjectKey.volume(name), PersistentVolume.class)
                .orElseThrow(() -> VolumeException.finalFailure("there is no volume " + name));
        @Nullable ObjectReference reference = volume.spec().claimRef();
        Optional<PersistentVolumeClaim> owner =
                reference == null || reference.name().isEmpty()
                        ? Optional.empty()
                        : read(ObjectKey.claim(reference.namespace(), reference.name()), PersistentVolumeClaim.class);
        Repairs.refusalToRelease(volume, owner.orElse(null)).ifPresent(VolumeCare::refuse);
        @Nullable VolumeId id = plugins.handlingId(volume).orElse(null);
        live.mustBeUnattached(volume, id);
        live.mustBeUnused(volume);
        return write(Repairs.release(volume, claim), PersistentVolume.class);
    }

    PersistentVolumeClaim repairLost(ObjectKey key, CallContext context) {
        PersistentVolumeClaim claim = read(key, PersistentVolumeClaim.class)
                .orElseThrow(() -> VolumeException.finalFailure("there is no claim " + key));
        String volumeName = claim.spec().volumeName();
        Optional<PersistentVolume> volume =
                volumeName.isEmpty() ? Optional.empty() : read(ObjectKey.volume(volumeName), PersistentVolume.class);
        Repairs.refusalToRepair(claim, volume.orElse(null)).ifPresent(VolumeCare::refuse);
        live.mustHaveNoPods(key);
        try {
            return write(Repairs.beginAnew(claim), PersistentVolumeClaim.class);
        } catch (VolumeException refused) {
            if (refused.getCause() instanceof ClusterException answer && answer.reason() == Reason.INVALID) {
                throw refused.withAdvice(Repairs.insteadOfBeginningAnew(claim));
            }
            throw refused;
        }
    }

    private static void refuse(String why) {
        throw VolumeException.finalFailure(why);
    }

    private <T extends ApiObject> T write(ObjectWrite write, Class<T> type) {
        try {
            ApiObject after = calls.writer().patch(write.key(), write.against(write.revision()));
            calls.stored(after);
            return type.cast(after);
        } catch (ClusterException failure) {
            throw ClusterCalls.classified(
                    "change " + write.key(),
                    failure,
                    ClusterCalls.needs("patch", write.key().kind()));
        }
    }

    private <T extends ApiObject> Optional<T> read(ObjectKey key, Class<T> type) {
        try {
            return calls.source().readLive(key).filter(type::isInstance).map(type::cast);
        } catch (ClusterException failure) {
            throw ClusterCalls.classified("read " + key, failure, ClusterCalls.needs("get", key.kind()));
        }
    }
}
