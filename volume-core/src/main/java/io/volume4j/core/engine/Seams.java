package io.volume4j.core.engine;

import java.util.function.UnaryOperator;

/**
 * Where something may come between an engine and its parts: a simulator that counts a planner's decisions, or one that
 * breaks a part on purpose to see whether its checks notice. Hosts have no way to it.
 *
 * @param planner given the planner, returns the one that decides
 * @param world given the world, returns the one that the engine works on
 * @param intents given the intent log, returns the one that the engine writes
 */
public record Seams<K, V, S extends Step>(
        UnaryOperator<Planner<V, S>> planner,
        UnaryOperator<World<K, V, S>> world,
        UnaryOperator<IntentLog<K, S>> intents) {

    /** Nothing comes between. */
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
