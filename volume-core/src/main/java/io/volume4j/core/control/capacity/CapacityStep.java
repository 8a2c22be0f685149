package io.volume4j.core.control.capacity;

import io.volume4j.core.control.host.ClusterStep;
import io.volume4j.core.control.host.Conflicts;
import io.volume4j.core.engine.ConflictKey;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.StorageClass;
import java.util.List;
import java.util.Map;

/** Asks a plugin for the free capacity of a segment's pool for a class, for one capacity object. */
public record CapacityStep(ObjectKey object, StorageClass storageClass, String plugin, Map<String, String> segment)
        implements ClusterStep {
    /** The kinds of steps. */
    public enum Kind {
        ASK
    }

    @Override
    public Kind kind() {
        return Kind.ASK;
    }

    @Override
    public List<ConflictKey> conflictKeys() {
        return List.of(Conflicts.object(object));
    }

    @Override
    public String describe() {
        return "ask " + plugin + " what class " + storageClass.metadata().name() + " has left at " + segment;
    }
}
