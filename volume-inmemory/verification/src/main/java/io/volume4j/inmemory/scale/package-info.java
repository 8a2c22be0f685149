/**
 * The growth of the cost of a change with the size of the cluster. Worlds with more and more nodes, in virtual time, count the work of all
 * engines and find the shape of its growth. May use the simulator and its internals; only tests and programs may use this package.
 */
@NullMarked
package io.volume4j.inmemory.scale;

import org.jspecify.annotations.NullMarked;
