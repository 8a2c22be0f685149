/**
 * What the node and the controllers share about an engine's operations: the public view of which are running, and of
 * when none is; and the programs that operations of an earlier process left. Depends on the engine and on
 * {@link io.volume4j.core.worlds}, and on no reconciler.
 */
package io.volume4j.core.operations;
