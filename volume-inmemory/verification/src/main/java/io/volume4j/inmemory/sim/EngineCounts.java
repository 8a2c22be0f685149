package io.volume4j.inmemory.sim;

import io.volume4j.core.assembly.EngineSeams;
import io.volume4j.core.engine.Outcome;
import io.volume4j.core.engine.Seams;
import io.volume4j.core.engine.Step;
import org.jspecify.annotations.Nullable;

/** How often all engines of a world looked at a key, and how many steps ended. Belongs to one world, which has one thread at a time. */
public final class EngineCounts implements EngineSeams.Change {
    private final Count nodes = new Count();
    private final Count controllers = new Count();

    /** What one kind of engine did so far. */
    public static final class Count {
        private long visits;
        private long steps;

        private Count() {}

        /** Keys that were looked at. */
        public long visits() {
            return visits;
        }

        /** Steps that ended, well or badly. */
        public long steps() {
            return steps;
        }
    }

    /** Of the agents of nodes. */
    public Count nodes() {
        return nodes;
    }

    /** Of everything else. */
    public Count controllers() {
        return controllers;
    }

    @Override
    public <K, V, S extends Step> Seams<K, V, S> of(String reconciler, Seams<K, V, S> seams) {
        Count count = reconciler.equals("node") ? nodes : controllers;
        return seams.withWorld(world -> new PassingWorld<>(seams.world().apply(world)) {
            @Override
            public @Nullable V view(K key) {
                count.visits++;
                return super.view(key);
            }

            @Override
            public void completed(K key, S step, Outcome outcome) {
                count.steps++;
                super.completed(key, step, outcome);
            }
        });
    }
}
