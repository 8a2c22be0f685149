package io.volume4j.core.control.binding;

import io.volume4j.core.control.host.Conflicts;
import io.volume4j.core.engine.ConflictKey;
import io.volume4j.spi.model.ObjectKey;
import java.util.List;
import java.util.Map;

/** What a plugin does about what the content of a snapshot, or of a group of them, stands for. */
public sealed interface ContentStep extends BindingStep {
    ObjectKey content();

    @Override
    default List<ConflictKey> conflictKeys() {
        return List.of(Conflicts.object(content()));
    }

    /** Has the plugin cut what a content stands for, or find what an earlier try cut: a snapshot, or a group of them. */
    record Cut(
            ObjectKey content,
            String contentUid,
            long epoch,
            String plugin,
            String name,
            List<String> volumes,
            Map<String, String> parameters)
            implements ContentStep {
        @Override
        public Measured measured() {
            return new Measured(plugin, "create_snapshot", "", null);
        }

        @Override
        public Kind kind() {
            return Kind.CUT;
        }

        @Override
        public String describe() {
            return "cut " + name + " of " + String.join(", ", volumes) + " with " + plugin;
        }
    }

    /** Asks the plugin how far what a content stands for is. */
    record Probe(
            ObjectKey content,
            String contentUid,
            String plugin,
            String handle,
            List<String> members,
            Map<String, String> parameters)
            implements ContentStep {
        @Override
        public Measured measured() {
            return new Measured(plugin, "get_snapshot", "", null);
        }

        @Override
        public Kind kind() {
            return Kind.PROBE;
        }

        @Override
        public boolean progress() {
            return false;
        }

        @Override
        public String describe() {
            return "ask " + plugin + " how far snapshot " + handle + " is";
        }
    }

    /** Has the plugin destroy what a content stands for. */
    record Discard(
            ObjectKey content,
            String contentUid,
            long epoch,
            String plugin,
            String handle,
            List<String> members,
            Map<String, String> parameters)
            implements ContentStep {
        @Override
        public Measured measured() {
            return new Measured(plugin, "delete_snapshot", "", null);
        }

        @Override
        public Kind kind() {
            return Kind.DISCARD;
        }

        @Override
        public String describe() {
            return "destroy snapshot " + handle + " with " + plugin;
        }
    }
}
