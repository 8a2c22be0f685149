package io.volume4j.core.engine;

/**
 * Decides. A pure function: no I/O, no clock, no logging, nothing remembered; equal views give equal plans.
 *
 * @param <V> everything that the decision needs, the time included
 */
@FunctionalInterface
public interface Planner<V, S extends Step> {
    Plan<S> plan(V view);
}
