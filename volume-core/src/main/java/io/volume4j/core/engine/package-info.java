/**
 * The common machinery of all reconcilers: an event loop that owns a world, dirty keys, a pure planner, conflict
 * keys, durable intents, operations on worker threads and one timer queue.
 *
 * <p>Independent of volumes, nodes and objects. Depends on {@link io.volume4j.spi} for outcomes and calls, and on
 * {@code core.tables}. Every reconciler depends on it, never the reverse. Time, threads and randomness are injected
 * through {@link io.volume4j.core.engine.EventLoop}, an {@link java.util.concurrent.Executor} and
 * {@link io.volume4j.core.engine.Backoff}.
 */
package io.volume4j.core.engine;
