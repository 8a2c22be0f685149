/**
 * The programs that the backend runs: their paths, command lines, processes and output.
 *
 * <p>{@code ToolRunner} starts each program by argument list, without a shell, in its own session, and kills the
 * session at the deadline. {@code ToolProcesses} finds programs that an earlier process of the host left running.
 *
 * <p>May depend on {@code io.volume4j.spi} and slf4j; on no other package of the core.
 */
@NullMarked
package io.volume4j.core.linux.tool;

import org.jspecify.annotations.NullMarked;
