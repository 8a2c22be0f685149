/**
 * Simulated worlds. Nodes, controllers and programs of the host are processes that run, die and restart in virtual
 * time, with one cluster and one storage. An oracle checks them. The same seed gives the same run.
 *
 * <p>Start with {@link io.volume4j.inmemory.sim.Simulation}. The agents are those of production, which
 * {@code core.assembly} builds. The scenario runner may depend on this package.
 */
package io.volume4j.inmemory.sim;
