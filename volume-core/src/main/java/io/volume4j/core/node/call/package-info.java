/**
 * The calls of steps: each touches the machine or a plugin, on a thread of a worker, and answers with an outcome.
 *
 * <p>May depend on {@code node.state} and on values of {@code node.desired}. Never reads a state of world: the loop gathers what a
 * call needs before it begins.
 */
@NullMarked
package io.volume4j.core.node.call;

import org.jspecify.annotations.NullMarked;
