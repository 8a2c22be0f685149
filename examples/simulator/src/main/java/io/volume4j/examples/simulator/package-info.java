/**
 * A command line around the simulator of volume-inmemory: scenario files, random schedules, deliberate bugs. Depends on
 * volume-inmemory as any user's tests would.
 */
@NullMarked
package io.volume4j.examples.simulator;

import org.jspecify.annotations.NullMarked;
