/**
 * Virtual time: event loops, worker threads and timers that run one task at a time on the caller's thread, in an order that
 * a seed decides. The same seed gives the same run. Not exported.
 *
 * <p>May depend on the engine of volume-core and on nothing else of this module.
 */
package io.volume4j.inmemory.virtual;
