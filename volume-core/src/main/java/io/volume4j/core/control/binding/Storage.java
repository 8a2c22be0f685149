package io.volume4j.core.control.binding;

import io.volume4j.core.migration.CsiMigration;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.CsiSource;
import io.volume4j.spi.model.NfsSource;
import io.volume4j.spi.model.NodeSelector;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.ReclaimPolicy;
import io.volume4j.spi.model.SelectorRequirement;
import io.volume4j.spi.model.VolumePhase;
import io.volume4j.spi.model.VolumeSource;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Whether two PersistentVolumes refer to the same storage. Users may create both, for example to hand storage over. Reclaiming one
 * of them would then destroy the data of the other.
 */
final class Storage {
    private final CsiMigration migration;

    Storage(CsiMigration migration) {
        this.migration = migration;
    }

    /**
     * Keys for finding volumes with the same storage; other volumes may have them too. They are strings of the object, so they need
     * no extra memory.
     */
    Set<String> keys(@Nullable ApiObject object) {
        if (!(object instanceof PersistentVolume volume)) {
            return Set.of();
        }
        VolumeSource source = source(volume);
        if (source instanceof CsiSource csi && !csi.volumeHandle().isEmpty()) {
            return Set.of(csi.volumeHandle());
        }
        return source instanceof NfsSource nfs ? Set.of(nfs.path()) : Set.of();
    }

    /**
     * Whether another volume needs the storage of a volume that is about to be deleted or emptied. A volume that is itself about to
     * be reclaimed does not need it. Otherwise the two would keep each other forever.
     */
    boolean keeps(PersistentVolume other, PersistentVolume ending) {
        return same(other, ending) && !over(other, ending);
    }

    /**
     * Of several volumes that will be emptied, one goes first and the others wait. An emptied volume is available, and may contain
     * a new claim's data at once.
     */
    private static boolean over(PersistentVolume other, PersistentVolume ending) {
        VolumePhase phase = other.status().phase();
        if (phase != VolumePhase.RELEASED && phase != VolumePhase.FAILED) {
            return false;
        }
        return switch (other.spec().reclaimPolicy()) {
            case DELETE -> true;
            case RECYCLE ->
                ending.spec().reclaimPolicy() == ReclaimPolicy.RECYCLE
                        && ending.metadata().name().compareTo(other.metadata().name()) < 0;
            case RETAIN, UNKNOWN -> false;
        };
    }

    /** Whether the volume has that storage, as far as the sources show it. */
    boolean names(PersistentVolume volume, VolumeSource storage) {
        VolumeSource source = source(volume);
        return source.equals(storage) || same(source, storage);
    }

    private boolean same(PersistentVolume left, PersistentVolume right) {
        VolumeSource one = source(left);
        return same(one, source(right))
                && (!(one instanceof CsiSource)
                        || mayBeInOnePlace(
                                left.spec().nodeAffinity(), right.spec().nodeAffinity()));
    }

    private static boolean same(VolumeSource one, VolumeSource two) {
        if (one instanceof CsiSource a && two instanceof CsiSource b) {
            return a.driver().equals(b.driver()) && a.volumeHandle().equals(b.volumeHandle());
        }
        return one instanceof NfsSource a
                && two instanceof NfsSource b
                && a.server().equals(b.server())
                && a.path().equals(b.path());
    }

    /**
     * Drivers with storage in their nodes may use the same handle on each node. So two volumes have different storage only if no
     * node can match both affinities.
     */
    private static boolean mayBeInOnePlace(@Nullable NodeSelector left, @Nullable NodeSelector right) {
        if (left == null || right == null || left.terms().isEmpty()) {
            return true;
        }
        return right.terms().isEmpty()
                || left.terms().stream().anyMatch(one -> right.terms().stream().anyMatch(two -> mayMeet(one, two)));
    }

    private static boolean mayMeet(NodeSelector.Term one, NodeSelector.Term two) {
        return mayMeet(one.matchExpressions(), two.matchExpressions()) && mayMeet(one.matchFields(), two.matchFields());
    }

    private static boolean mayMeet(List<SelectorRequirement> one, List<SelectorRequirement> two) {
        return one.stream().noneMatch(a -> two.stream().anyMatch(b -> excludes(a, b)));
    }

    private static boolean excludes(SelectorRequirement a, SelectorRequirement b) {
        return a.key().equals(b.key())
                && a.operator().equals("In")
                && b.operator().equals("In")
                && Collections.disjoint(a.values(), b.values());
    }

    private VolumeSource source(PersistentVolume volume) {
        VolumeSource source = volume.spec().source();
        boolean asItIs = source instanceof CsiSource || source instanceof NfsSource;
        return asItIs ? source : migration.specIfPossible(volume, false).source();
    }
}
