/**
 * A command line around the simulator of volume-inmemory: scenario files, random schedules, deliberate bugs. Scenarios need
 * volume-inmemory alone; random schedules and bugs come from its unpublished verification module.
 */
@NullMarked
package io.volume4j.examples.simulator;

import org.jspecify.annotations.NullMarked;
