/**
 * Puts agents together: {@link io.volume4j.core.assembly.ControllerFeature} is the list of the control plane's features, and {@link
 * io.volume4j.core.assembly.ControllerFeatures} the choice of one controller.
 *
 * <p>Depends on the rooms whose parts it puts together; of these, no room may depend on it. The front doors give the agents threads
 * and clocks of the machine, a simulator gives them its own.
 */
package io.volume4j.core.assembly;
