/**
 * Random worlds: what happens in them, whether they come to the right end, and the smallest one that does not.
 *
 * <p>Depends on the simulator and the oracle; only the scenario runner's command line may depend on it.
 */
package io.volume4j.inmemory.chaos;
