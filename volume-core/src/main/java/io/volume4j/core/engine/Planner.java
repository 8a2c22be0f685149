package io.volume4j.core.engine;

/**
 * Decides the next steps. A pure function without I/O, clock, logging and memory: equal views give equal plans.
 * @param <V> everything that the decision needs, including the time
 */
@FunctionalInterface
public interface Planner<V, S extends Step> {
    Plan<S> plan(V view);
}
