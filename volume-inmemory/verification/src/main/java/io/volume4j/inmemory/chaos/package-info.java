/**
 * Random worlds: their acts, the checks of their final states, and the smallest failing one.
 *
 * <p>Depends on the simulator and the oracle; only the scenario runner's command line may depend on it.
 */
package io.volume4j.inmemory.chaos;
