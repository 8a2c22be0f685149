package io.volume4j.core.node.attach;

import io.volume4j.core.engine.ConflictKey;
import io.volume4j.core.engine.ConflictKey.Scope;
import io.volume4j.core.engine.Step;
import java.util.List;

/**
 * What telling the cluster how many volumes of a plugin the node can have takes.
 *
 * @param volumes as many as are told, 0 for no limit; -1 where the plugin is asked first
 */
record LimitStep(Kind kind, String plugin, long volumes) implements Step {
    enum Kind {
        ASK,
        PUBLISH,
        WRITE_ENTRY,
        REMOVE_ENTRY
    }

    @Override
    public List<ConflictKey> conflictKeys() {
        return List.of(ConflictKey.exclusive(Scope.OBJECT, "limit/" + plugin));
    }

    /** Asking has no effect, and writing the same again is harmless. */
    @Override
    public boolean needsIntent() {
        return false;
    }

    @Override
    public String describe() {
        return switch (kind) {
            case ASK -> "ask plugin " + plugin + " how many volumes the node can have";
            case PUBLISH -> "tell the cluster how many volumes of " + plugin + " the node can have";
            case WRITE_ENTRY -> "write the entry of driver " + plugin + " in the node's CSINode object";
            case REMOVE_ENTRY -> "remove the entry of driver " + plugin + " from the node's CSINode object";
        };
    }
}
