package io.volume4j.inmemory.sim;

import io.volume4j.core.assembly.EngineSeams;
import io.volume4j.core.engine.Outcome;
import io.volume4j.core.engine.Seams;
import io.volume4j.core.engine.Step;
import org.jspecify.annotations.Nullable;

/** The visits and ended steps of all engines of a world. Belongs to one world, which runs one thread at a time. */
public final class EngineCounts implements EngineSeams.Change {
    private final Count nodes = new Count();
    private final Count controllers = new Count();

    /** The counts of one kind of engine so far. */
    public static final class Count {
        private long visits;
        private long steps;

        private Count() {}

        /** The number of examined keys. */
        public long visits() {
            return visits;
        }

        /** Ended steps, successful or not. */
        public long steps() {
            return steps;
        }
    }

    /** The counts of the nodes' agents. */
    public Count nodes() {
        return nodes;
    }

    /** The counts of all other engines. */
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
