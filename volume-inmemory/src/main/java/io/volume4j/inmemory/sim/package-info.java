/**
 * Simulated worlds: nodes, controllers and programs of the host as processes that run, die and come back in virtual time, over one
 * cluster and one storage, under the eyes of an oracle. The same seed gives the same run.
 *
 * <p>Start with {@link io.volume4j.inmemory.sim.Simulation}. The agents are those of production; {@code core.assembly} puts them
 * together. The scenario runner may depend on this package.
 */
package io.volume4j.inmemory.sim;
