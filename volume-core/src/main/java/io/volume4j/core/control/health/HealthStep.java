package io.volume4j.core.control.health;

import io.volume4j.core.control.host.ClusterStep;
import io.volume4j.core.engine.ConflictKey;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.model.ObjectKey;
import java.util.List;

/** Asks a plugin how a volume is. Nothing hangs on the answer, so nothing waits for it that is done to the volume. */
public record HealthStep(ObjectKey volumeKey, String volumeUid, VolumeId id) implements ClusterStep {
    /** The kinds of steps. */
    public enum Kind {
        CHECK
    }

    @Override
    public Kind kind() {
        return Kind.CHECK;
    }

    @Override
    public List<ConflictKey> conflictKeys() {
        return List.of(ConflictKey.exclusive(ConflictKey.Scope.OBJECT, "health of " + volumeKey));
    }

    @Override
    public boolean progress() {
        return false;
    }

    @Override
    public String describe() {
        return "ask " + id.plugin() + " how volume " + volumeKey.name() + " is";
    }
}
