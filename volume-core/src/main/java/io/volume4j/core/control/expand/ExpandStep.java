package io.volume4j.core.control.expand;

import io.volume4j.core.control.host.ClusterStep;
import io.volume4j.core.control.host.Conflicts;
import io.volume4j.core.engine.ConflictKey;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.PersistentVolume;
import java.util.List;

/**
 * Expands the storage of a claim's volume to the target size in the claim's status.
 *
 * @param epoch of the leader with that intent
 */
public record ExpandStep(
        ObjectKey claim,
        String claimUid,
        PersistentVolume volume,
        String plugin,
        long newBytes,
        long oldBytes,
        long epoch)
        implements ClusterStep {
    /** The kinds of steps. */
    public enum Kind {
        EXPAND
    }

    @Override
    public Measured measured() {
        return new Measured(plugin, "expand", "", volume.spec().source());
    }

    @Override
    public Kind kind() {
        return Kind.EXPAND;
    }

    @Override
    public List<ConflictKey> conflictKeys() {
        return Conflicts.of(claim, volume);
    }

    @Override
    public boolean progress() {
        return false;
    }

    @Override
    public String describe() {
        return "expand volume " + volume.metadata().name() + " to " + newBytes + " bytes with " + plugin;
    }
}
