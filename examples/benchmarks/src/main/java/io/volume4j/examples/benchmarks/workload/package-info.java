/**
 * Workloads as files: a seeded generator, the format, and a player for the library or the polling design model.
 * {@code docs/workload-format.md} describes the format, so that the same file can be played for any other implementation.
 * Depends on the library only, never on the benchmarks.
 */
@NullMarked
package io.volume4j.examples.benchmarks.workload;

import org.jspecify.annotations.NullMarked;
