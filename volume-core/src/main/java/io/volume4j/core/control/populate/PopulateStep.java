package io.volume4j.core.control.populate;

import io.volume4j.core.control.host.ClusterStep;
import io.volume4j.core.control.host.Conflicts;
import io.volume4j.core.engine.ConflictKey;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.OneLine;
import io.volume4j.spi.model.TypedReference;
import io.volume4j.spi.plugin.Populator;
import java.util.List;

/** Steps of a populator for a claim. */
public sealed interface PopulateStep extends ClusterStep {
    /** The kinds of steps. */
    enum Kind {
        FILL,
        CLEAN_UP
    }

    @Override
    Kind kind();

    /**
     * A populator fills a volume, or reports the progress.
     *
     * @param epoch of the leader with that intent
     */
    record Fill(ObjectKey claim, Populator.Request request, long epoch) implements PopulateStep {
        @Override
        public Kind kind() {
            return Kind.FILL;
        }

        @Override
        public List<ConflictKey> conflictKeys() {
            return List.of(
                    Conflicts.object(claim),
                    Conflicts.object(request.primeClaim().key()),
                    Conflicts.object(request.volume().key()),
                    Conflicts.volume(request.volume().metadata().name()));
        }

        @Override
        public boolean progress() {
            return false;
        }

        @Override
        public String describe() {
            return "fill volume " + request.volume().metadata().name() + " from "
                    + OneLine.name(request.source().kind()) + " "
                    + OneLine.name(request.source().namespace()) + "/"
                    + OneLine.name(request.source().name());
        }
    }

    /**
     * A populator removes what it needed for the filling.
     *
     * @param source the source of the volume
     * @param epoch of the leader with that intent
     */
    record CleanUp(ObjectKey claim, Populator.CleanUpRequest request, TypedReference source, long epoch)
            implements PopulateStep {
        @Override
        public Kind kind() {
            return Kind.CLEAN_UP;
        }

        @Override
        public List<ConflictKey> conflictKeys() {
            return List.of(
                    Conflicts.object(claim),
                    Conflicts.object(ObjectKey.claim(request.primeNamespace(), request.primeName())));
        }

        @Override
        public String describe() {
            return "clean up after filling a volume for " + claim;
        }
    }
}
