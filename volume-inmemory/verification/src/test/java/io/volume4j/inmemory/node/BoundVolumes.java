package io.volume4j.inmemory.node;

import io.volume4j.spi.model.AccessMode;
import io.volume4j.spi.model.ClaimPhase;
import io.volume4j.spi.model.CsiSource;
import io.volume4j.spi.model.ObjectMeta;
import io.volume4j.spi.model.ObjectReference;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.PersistentVolumeClaim;
import io.volume4j.spi.model.Quantity;
import io.volume4j.spi.model.ReclaimPolicy;
import io.volume4j.spi.model.ResizeStatus;
import io.volume4j.spi.model.Unmodeled;
import io.volume4j.spi.model.VolumeMode;
import io.volume4j.spi.model.VolumePhase;
import java.util.List;
import java.util.Map;

/** A claim and its volume, bound to each other, as objects. */
final class BoundVolumes {
    static final Quantity SIZE = Quantity.parse("1Gi");

    private BoundVolumes() {}

    /** A claim that says that it is bound to its volume. */
    static PersistentVolumeClaim claim(String name, AccessMode mode, VolumeMode volumeMode) {
        return new PersistentVolumeClaim(
                ObjectMeta.named("default", name).withUid("uid-" + name),
                new PersistentVolumeClaim.Spec(List.of(mode), SIZE, "", volumeMode, "pv-" + name, null, null, null, ""),
                new PersistentVolumeClaim.Status(ClaimPhase.BOUND, List.of(mode), SIZE, Map.of(), Map.of(), ""),
                Unmodeled.none());
    }

    /** The volume of a claim, bound to it. */
    static PersistentVolume volume(String name, PersistentVolumeClaim claim, Quantity size) {
        return new PersistentVolume(
                ObjectMeta.named("", "pv-" + name),
                new PersistentVolume.Spec(
                        size,
                        claim.spec().accessModes(),
                        ReclaimPolicy.RETAIN,
                        "",
                        claim.spec().volumeMode(),
                        ObjectReference.to(claim),
                        List.of(),
                        null,
                        "",
                        CsiSource.of("mem", "h-" + name, "", Map.of())),
                new PersistentVolume.Status(VolumePhase.BOUND, "", ""),
                Unmodeled.none());
    }

    static PersistentVolumeClaim withResizeStatus(PersistentVolumeClaim claim, ResizeStatus status) {
        PersistentVolumeClaim.Status before = claim.status();
        return new PersistentVolumeClaim(
                claim.metadata(),
                claim.spec(),
                new PersistentVolumeClaim.Status(
                        before.phase(),
                        before.accessModes(),
                        before.capacity(),
                        Map.of(),
                        status == ResizeStatus.NONE ? Map.of() : Map.of("storage", status.word()),
                        ""),
                claim.unmodeled());
    }
}
