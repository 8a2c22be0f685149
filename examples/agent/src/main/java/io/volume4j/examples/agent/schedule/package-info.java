/**
 * A scheduler for clusters without one. It assigns a pod to a node where its volumes can be, with the library's
 * {@link io.volume4j.core.control.VolumeBinder}. It considers only volumes and the number of pods: a cluster whose pods request
 * processors, memory or topology needs its own scheduler. Depends on the library only.
 */
@NullMarked
package io.volume4j.examples.agent.schedule;

import org.jspecify.annotations.NullMarked;
