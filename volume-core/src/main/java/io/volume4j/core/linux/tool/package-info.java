/**
 * Programs that the backend runs: where they are, their command lines, their processes and what they print.
 *
 * <p>{@code ToolRunner} starts each program by argument list, without a shell, in a session of its own, and kills the session at
 * the deadline. {@code ToolProcesses} finds what an earlier process of the host left running.
 *
 * <p>May depend on {@code io.volume4j.spi} and slf4j; on no other package of the core.
 */
@NullMarked
package io.volume4j.core.linux.tool;

import org.jspecify.annotations.NullMarked;
