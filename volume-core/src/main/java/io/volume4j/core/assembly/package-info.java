/**
 * Builds agents. {@link io.volume4j.core.assembly.ControllerFeature} lists all features of the control plane, and
 * {@link io.volume4j.core.assembly.ControllerFeatures} has the features of one controller.
 *
 * <p>Depends on the packages whose parts it uses; none of these may depend on it. In production the agents get
 * threads and clocks of the machine, in a simulator those of the simulator.
 */
package io.volume4j.core.assembly;
