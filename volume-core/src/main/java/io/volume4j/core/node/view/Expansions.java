package io.volume4j.core.node.view;

import io.volume4j.core.engine.Call;
import io.volume4j.core.node.Growth;
import io.volume4j.core.node.VolumeView.Expansion;
import io.volume4j.core.node.actual.ActualVolume;
import io.volume4j.core.node.desired.DesiredVolume;
import io.volume4j.core.node.desired.ResolvedPod.ResolvedVolume;
import io.volume4j.core.node.state.VolumeRow;
import io.volume4j.core.objects.ObjectCache;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.host.ClusterException;
import io.volume4j.spi.host.ClusterWriter;
import io.volume4j.spi.host.Patch;
import io.volume4j.spi.host.Patch.FieldChange;
import io.volume4j.spi.host.Preconditions;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.ObjectReference;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.PersistentVolumeClaim;
import io.volume4j.spi.model.Quantity;
import io.volume4j.spi.model.ResizeStatus;
import io.volume4j.spi.plugin.NodeExpander;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Decides about expansions of volumes. The PersistentVolume has the target size. The claim's status has the known
 * size, and shows which party expands next. Loop thread only, except for the bodies of calls.
 */
public final class Expansions {
    private static final String LANE = "cluster";
    private static final int CALLS = 16;
    private static final Duration DEADLINE = Duration.ofSeconds(30);

    private final ObjectCache objects;
    private final @Nullable ClusterWriter writer;
    /** The target sizes of the calls under way. The target of a volume may grow meanwhile. */
    private final Map<VolumeId, Long> asked = new LinkedHashMap<>();

    /** @param writer null if the host writes the claims' status itself */
    public Expansions(ObjectCache objects, @Nullable ClusterWriter writer) {
        this.objects = objects;
        this.writer = writer;
    }

    /** The expansion that the volume needs. */
    Expansion of(DesiredVolume wanted, @Nullable ActualVolume present) {
        ResolvedVolume volume = VolumeModeConflicts.chosen(wanted, present);
        NodeExpander expander = volume.plugin().nodeExpander(volume.spec()).orElse(null);
        PersistentVolumeClaim claim = claim(volume);
        long target = target(volume);
        if (expander == null || claim == null || target == 0) {
            return Expansion.none();
        }
        Growth growth = known(present == null ? Growth.unknown() : present.row().growth(), claim);
        boolean writable = wanted.uses().stream().anyMatch(use -> !use.readOnly());
        return decide(
                growth,
                target,
                ResizeStatus.of(claim),
                writable,
                expander.online(),
                expander.beforePods(),
                present != null && present.expansionInUse(),
                !ClaimSize.changes(claim, growth, target).isEmpty() && writer != null);
    }

    /** The decision itself, separate for table tests. */
    static Expansion decide(
            Growth growth,
            long target,
            ResizeStatus status,
            boolean writable,
            boolean online,
            boolean beforePods,
            boolean inUse,
            boolean tell) {
        boolean smaller = growth.bytes() > 0 && growth.bytes() < target;
        boolean begun = growth.target() > 0;
        if (!smaller && !begun) {
            return new Expansion(Expansion.State.NONE, online, beforePods, inUse, tell, target, "");
        }
        if (!writable) {
            // Other nodes may expand a volume that this node only reads.
            return Expansion.none();
        }
        boolean askedAgain = status == ResizeStatus.NODE_PENDING;
        if (growth.refused() == target && !askedAgain) {
            return new Expansion(Expansion.State.REFUSED, online, beforePods, inUse, tell, target, growth.why());
        }
        return switch (status) {
            case NODE_INFEASIBLE ->
                new Expansion(Expansion.State.REFUSED, online, beforePods, inUse, tell, target, "its claim says so");
            case CONTROLLER_IN_PROGRESS, CONTROLLER_INFEASIBLE, OTHER -> Expansion.none();
            case NONE, NODE_PENDING, NODE_IN_PROGRESS ->
                new Expansion(Expansion.State.NEEDED, online, beforePods, inUse, tell, target, "");
        };
    }

    /**
     * The target size of a volume that only readers on this node want, and that its plugin could expand; 0 in other
     * cases.
     */
    public static long missed(DesiredVolume wanted, ActualVolume present) {
        ResolvedVolume volume = wanted.volume();
        long target = target(volume);
        if (target == 0) {
            return 0;
        }
        Growth growth = present.row().growth();
        boolean smaller = growth.bytes() > 0 && growth.bytes() < target;
        return smaller
                        && wanted.uses().stream().allMatch(use -> use.readOnly())
                        && volume.plugin().nodeExpander(volume.spec()).isPresent()
                ? target
                : 0;
    }

    /** The target size of the volume, 0 if unknown. */
    public static long target(ResolvedVolume volume) {
        PersistentVolume persistent = volume.spec().persistentVolume();
        return persistent == null ? 0 : bytes(persistent.spec().capacity());
    }

    /** Begins an expansion to the present target size. */
    public long asking(ResolvedVolume volume) {
        long bytes = target(volume);
        asked.put(volume.id(), bytes);
        return bytes;
    }

    /**
     * The target size of the step that has ended.
     *
     * @param otherwise the result if the step ended before its call
     */
    public long answered(VolumeId id, long otherwise) {
        Long bytes = asked.remove(id);
        return bytes == null ? otherwise : bytes;
    }

    /** The row of a volume that is now on this node. An unknown size becomes the size in the claim's status. */
    public VolumeRow sized(VolumeRow row, @Nullable ResolvedVolume volume) {
        PersistentVolumeClaim claim = volume == null ? null : claim(volume);
        return claim == null ? row : row.withGrowth(known(row.growth(), claim));
    }

    /** Writes the known size of the volume to the claim's status. Returns the stored claim. */
    public Call tell(ResolvedVolume volume, Growth growth) {
        PersistentVolumeClaim claim = claim(volume);
        ClusterWriter to = writer;
        if (claim == null || to == null) {
            throw new IllegalStateException("no claim or no cluster to write the size of " + volume.id() + " to");
        }
        List<FieldChange> changes = ClaimSize.changes(claim, known(growth, claim), target(volume));
        Patch patch = new Patch(Preconditions.of(claim.metadata()), true, changes);
        ObjectKey key = claim.key();
        return new Call(LANE, CALLS, DEADLINE, context -> {
            try {
                return to.patch(key, patch);
            } catch (ClusterException failure) {
                throw VolumeException.transientFailure("cannot write the size of " + key + ": " + failure.getMessage())
                        .withCause(failure);
            }
        });
    }

    /** Sets an unknown size to the size in the claim's status. */
    private static Growth known(Growth growth, PersistentVolumeClaim claim) {
        return growth.startingAt(bytes(claim.status().capacity()));
    }

    /** The claim that the volume is bound to, null if unknown. */
    @Nullable
    PersistentVolumeClaim claim(ResolvedVolume volume) {
        PersistentVolume persistent = volume.spec().persistentVolume();
        ObjectReference holder = persistent == null ? null : persistent.spec().claimRef();
        if (holder == null) {
            return null;
        }
        return objects.get(ObjectKey.claim(holder.namespace(), holder.name()), PersistentVolumeClaim.class)
                .filter(claim -> claim.metadata().uid().equals(holder.uid()))
                .orElse(null);
    }

    private static long bytes(@Nullable Quantity quantity) {
        return quantity == null ? 0 : quantity.bytes();
    }
}
