/**
 * How what a change costs grows with the cluster: worlds of more and more nodes, in virtual time, in which the work of all engines is counted,
 * and the shape of its growth. May use the simulator and its internals; nothing but tests and programs uses it.
 */
@NullMarked
package io.volume4j.inmemory.scale;

import org.jspecify.annotations.NullMarked;
