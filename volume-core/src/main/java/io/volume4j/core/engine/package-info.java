/**
 * The machine that every reconciler is: an event loop that owns a world, dirty keys, a pure planner, conflict keys, durable
 * intents, operations on worker threads and one timer queue.
 *
 * <p>Knows nothing of volumes, nodes or objects. May depend on {@link io.volume4j.spi} for outcomes and calls and
 * on {@code core.tables}. Every reconciler depends on it; it never depends on one. Time, threads and randomness come in through {@link
 * io.volume4j.core.engine.EventLoop}, an {@link java.util.concurrent.Executor} and {@link io.volume4j.core.engine.Backoff}.
 */
package io.volume4j.core.engine;
