/**
 * The calls of steps. Each call acts on the machine or a plugin, on a worker thread, and returns an outcome.
 *
 * <p>May depend on {@code node.state} and on values of {@code node.desired}. Never reads a state of world: the loop
 * collects what a call needs before the call begins.
 */
@NullMarked
package io.volume4j.core.node.call;

import org.jspecify.annotations.NullMarked;
