package io.volume4j.inmemory.control;

import io.volume4j.core.control.host.ClusterStep;
import io.volume4j.core.control.host.PlanningFeature;
import io.volume4j.core.engine.Plan;
import io.volume4j.core.engine.Planner;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.ObjectKey;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A feature that decides nothing, and records which objects of a kind the controller visits. */
final class VisitedObjects implements PlanningFeature<String> {
    private final Kind kind;
    private final List<ObjectKey> visited = new ArrayList<>();

    VisitedObjects(Kind kind) {
        this.kind = kind;
    }

    /** The visits since the last call. */
    List<ObjectKey> take() {
        List<ObjectKey> taken = List.copyOf(visited);
        visited.clear();
        return taken;
    }

    @Override
    public List<Kind> decides() {
        return List.of(kind);
    }

    @Override
    public @Nullable String view(ObjectKey key) {
        visited.add(key);
        return null;
    }

    @Override
    public Planner<String, ClusterStep> planner() {
        return view -> Plan.nothing();
    }
}
