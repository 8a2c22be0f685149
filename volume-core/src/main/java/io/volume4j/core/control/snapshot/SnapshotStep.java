package io.volume4j.core.control.snapshot;

import io.volume4j.core.control.host.ClusterStep;
import io.volume4j.core.control.host.Conflicts;
import io.volume4j.core.engine.ConflictKey;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.OneLine;
import java.util.List;
import java.util.Map;

/** Steps of a plugin for the snapshot or group snapshot of a content. */
public sealed interface SnapshotStep extends ClusterStep
        permits SnapshotStep.CreateSnapshot, SnapshotStep.GetSnapshot, SnapshotStep.DeleteSnapshot {
    /** The kinds of steps. */
    enum Kind {
        CREATE_SNAPSHOT,
        GET_SNAPSHOT,
        DELETE_SNAPSHOT
    }

    @Override
    Kind kind();

    ObjectKey content();

    @Override
    default List<ConflictKey> conflictKeys() {
        return List.of(Conflicts.object(content()));
    }

    /**
     * The plugin creates the snapshot or group snapshot, or finds the result of an earlier attempt.
     *
     * @param handle the handle that the content has already, {@code ""} for none
     */
    record CreateSnapshot(
            ObjectKey content,
            String contentUid,
            long epoch,
            String plugin,
            String name,
            List<String> volumes,
            Map<String, String> parameters,
            String handle)
            implements SnapshotStep {
        @Override
        public Measured measured() {
            return new Measured(plugin, "create_snapshot", "", null);
        }

        @Override
        public Kind kind() {
            return Kind.CREATE_SNAPSHOT;
        }

        @Override
        public String describe() {
            return "create snapshot " + name + " of " + String.join(", ", volumes) + " with " + plugin;
        }
    }

    /** The plugin reports the progress of the snapshot or the group. */
    record GetSnapshot(
            ObjectKey content,
            String contentUid,
            String plugin,
            String handle,
            List<String> members,
            Map<String, String> parameters)
            implements SnapshotStep {
        @Override
        public Measured measured() {
            return new Measured(plugin, "get_snapshot", "", null);
        }

        @Override
        public Kind kind() {
            return Kind.GET_SNAPSHOT;
        }

        @Override
        public boolean progress() {
            return false;
        }

        @Override
        public String describe() {
            return "ask " + plugin + " how far snapshot " + OneLine.name(handle) + " is";
        }
    }

    /** The plugin deletes the snapshot or the group. */
    record DeleteSnapshot(
            ObjectKey content,
            String contentUid,
            long epoch,
            String plugin,
            String handle,
            List<String> members,
            Map<String, String> parameters)
            implements SnapshotStep {
        @Override
        public Measured measured() {
            return new Measured(plugin, "delete_snapshot", "", null);
        }

        @Override
        public Kind kind() {
            return Kind.DELETE_SNAPSHOT;
        }

        @Override
        public String describe() {
            return "delete snapshot " + OneLine.name(handle) + " with " + plugin;
        }
    }
}
