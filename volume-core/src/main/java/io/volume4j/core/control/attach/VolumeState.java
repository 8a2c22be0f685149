package io.volume4j.core.control.attach;

import io.volume4j.core.migration.CsiMigration;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.model.AccessMode;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.plugin.VolumeSpec;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** One volume, and the nodes that want it or have it. Loop thread only. */
final class VolumeState {
    final VolumeId id;
    private List<PairState> pairs = List.of();

    /** Name of the PersistentVolume, {@code ""} for an inline volume or if it is not known. */
    String persistentVolume = "";

    /** The spec of an inline volume of a pod. */
    @Nullable
    VolumeSpec inline;

    /** True until its access modes are known. */
    boolean oneNodeOnly = true;

    /** Whether several PersistentVolumes refer to this storage. */
    private boolean severalNames;

    /** Loop time until which calls without an answer may take effect. */
    long settledAt = Long.MIN_VALUE;

    private String unsettledNode = "";

    /** PersistentVolumes of this storage that are being deleted and wait until no node has it; often there is none. */
    private Set<ObjectKey> leaving = Set.of();

    VolumeState(VolumeId id) {
        this.id = id;
    }

    List<PairState> pairs() {
        return Collections.unmodifiableList(pairs);
    }

    void add(PairState pair) {
        if (pairs.isEmpty()) {
            pairs = List.of(pair);
        } else {
            List<PairState> more = new ArrayList<>(pairs);
            more.add(pair);
            pairs = more;
        }
    }

    void remove(PairState pair) {
        List<PairState> left = new ArrayList<>(pairs);
        left.remove(pair);
        pairs = left.isEmpty() ? List.of() : left;
    }

    /** Applies the description of the volume in a pod or a record. */
    void describe(VolumeSpec spec) {
        PersistentVolume persistent = spec.persistentVolume();
        if (persistent != null && !CsiMigration.inline(spec)) {
            describe(persistent);
        } else {
            inline = spec;
        }
    }

    /**
     * Of several PersistentVolumes for one storage the strictest counts while the volume is known: its filesystem may be for one
     * node.
     */
    void describe(PersistentVolume persistent) {
        String name = persistent.metadata().name();
        severalNames |= !persistentVolume.isEmpty() && !persistentVolume.equals(name);
        persistentVolume = name;
        oneNodeOnly = oneNodeOnly(persistent) || (severalNames && oneNodeOnly);
    }

    /** Without access modes no object permits several nodes, so only one may have it. */
    static boolean oneNodeOnly(PersistentVolume volume) {
        for (AccessMode mode : volume.spec().accessModes()) {
            if (mode.manyNodes()) {
                return false;
            }
        }
        return true;
    }

    /** A call for the node got no answer, and may take effect until then. */
    void unsettled(String node, long until) {
        unsettledNode = unsettledNode.isEmpty() || unsettledNode.equals(node) ? node : "*";
        settledAt = Math.max(settledAt, until);
    }

    /** The time from which a call for this node is allowed. A call to the same node as the one without an answer need not wait. */
    long settledFor(String node) {
        return unsettledNode.equals(node) ? Long.MIN_VALUE : settledAt;
    }

    /** Whether a node has the volume or may have it. */
    boolean occupied() {
        for (PairState pair : pairs) {
            if (pair.occupied()) {
                return true;
            }
        }
        return false;
    }

    /** The deleted PersistentVolume waits until a node no longer has the volume. */
    void leaves(ObjectKey persistentVolume) {
        leaving = leaving.isEmpty() ? new LinkedHashSet<>(2) : leaving;
        leaving.add(persistentVolume);
    }

    /** Returns those that wait, and forgets them: a visit adds those that must wait on. */
    Set<ObjectKey> takeLeaving() {
        Set<ObjectKey> all = leaving;
        leaving = Set.of();
        return all;
    }

    String shownName() {
        return persistentVolume.isEmpty() ? id.name() : persistentVolume;
    }
}
