package io.volume4j.core.control.health;

import io.volume4j.core.control.host.ClusterStep;
import io.volume4j.core.engine.ConflictKey;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.model.ObjectKey;
import java.util.List;

/** A question to a plugin. No decision depends on the answer, so no other step waits for it. */
public sealed interface HealthStep extends ClusterStep {
    /** The kinds of steps. */
    enum Kind {
        CHECK,
        LIST
    }

    @Override
    Kind kind();

    @Override
    default boolean progress() {
        return false;
    }

    /** Asks a plugin for the health of a volume. */
    record Check(ObjectKey volumeKey, String volumeUid, VolumeId id) implements HealthStep {
        @Override
        public Kind kind() {
            return Kind.CHECK;
        }

        @Override
        public List<ConflictKey> conflictKeys() {
            return List.of(ConflictKey.exclusive(ConflictKey.Scope.OBJECT, "health of " + volumeKey));
        }

        @Override
        public String describe() {
            return "ask " + id.plugin() + " how volume " + volumeKey.name() + " is";
        }
    }

    /** Asks a plugin for the health of all its volumes. */
    record ListAll(String plugin) implements HealthStep {
        @Override
        public Kind kind() {
            return Kind.LIST;
        }

        @Override
        public List<ConflictKey> conflictKeys() {
            return List.of(ConflictKey.exclusive(ConflictKey.Scope.OBJECT, "health of all volumes of " + plugin));
        }

        @Override
        public String describe() {
            return "ask " + plugin + " how all its volumes are";
        }
    }
}
