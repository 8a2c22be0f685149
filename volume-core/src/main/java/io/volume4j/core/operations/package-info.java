/**
 * The public view of an engine's operations: which are running, and when none is running. The node and the
 * controllers share it. Depends on the engine and on {@link io.volume4j.core.worlds}, and on no reconciler.
 */
package io.volume4j.core.operations;
