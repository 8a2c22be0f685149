/**
 * Gives pods their nodes in a cluster that has no scheduler of its own: to a node where their volumes can be, by the library's {@link
 * io.volume4j.core.control.VolumeBinder}. It looks at volumes and at the number of pods alone: a cluster whose pods ask for processors,
 * memory or places brings a scheduler of its own. Depends on the library alone.
 */
@NullMarked
package io.volume4j.examples.agent.schedule;

import org.jspecify.annotations.NullMarked;
