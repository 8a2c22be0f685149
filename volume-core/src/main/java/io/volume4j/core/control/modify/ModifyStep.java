package io.volume4j.core.control.modify;

import io.volume4j.core.control.host.ClusterStep;
import io.volume4j.core.control.host.Conflicts;
import io.volume4j.core.engine.ConflictKey;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.VolumeAttributesClass;
import java.util.List;

/**
 * Gives a claim's volume the parameters of the volume attributes class in the claim's status.
 *
 * @param epoch of the leader with that intent
 */
public record ModifyStep(
        ObjectKey claim,
        String claimUid,
        PersistentVolume volume,
        String plugin,
        VolumeAttributesClass target,
        long epoch)
        implements ClusterStep {
    /** The kinds of steps. */
    public enum Kind {
        MODIFY
    }

    @Override
    public Measured measured() {
        return new Measured(plugin, "modify", "", volume.spec().source());
    }

    @Override
    public Kind kind() {
        return Kind.MODIFY;
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
        return "give volume " + volume.metadata().name() + " the attributes of class "
                + target.metadata().name();
    }
}
