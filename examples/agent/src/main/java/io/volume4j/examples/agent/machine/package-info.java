/**
 * What the agent needs of its machine besides the library: the machine's identity, the lock of the agent's root, and the processes that use
 * volumes. Depends on the library's exceptions only.
 */
@NullMarked
package io.volume4j.examples.agent.machine;

import org.jspecify.annotations.NullMarked;
