package io.volume4j.core.engine;

import java.util.function.UnaryOperator;

/**
 * Wrappers around the parts of an engine, for simulators. A simulator counts the decisions of a planner, or breaks a
 * part on purpose to test its own checks. Hosts cannot set them.
 * @param planner returns the planner that the engine uses
 * @param world returns the world that the engine uses
 * @param intents returns the intent log that the engine uses
 */
public record Seams<K, V, S extends Step>(
        UnaryOperator<Planner<V, S>> planner,
        UnaryOperator<World<K, V, S>> world,
        UnaryOperator<IntentLog<K, S>> intents) {

    /** No wrappers. */
    public static <K, V, S extends Step> Seams<K, V, S> none() {
        return new Seams<>(planner -> planner, world -> world, intents -> intents);
    }

    public Seams<K, V, S> withPlanner(UnaryOperator<Planner<V, S>> change) {
        return new Seams<>(change, world, intents);
    }

    public Seams<K, V, S> withWorld(UnaryOperator<World<K, V, S>> change) {
        return new Seams<>(planner, change, intents);
    }

    public Seams<K, V, S> withIntents(UnaryOperator<IntentLog<K, S>> change) {
        return new Seams<>(planner, world, change);
    }
}
