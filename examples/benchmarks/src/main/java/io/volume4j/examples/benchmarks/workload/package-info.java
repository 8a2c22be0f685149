/**
 * Workloads as files: a seeded generator, the format, and what plays a file against the library or against the polling design
 * model. The format stands in {@code docs/workload-format.md}, so that any other implementation can be driven by the same file.
 * Depends on the library only, never on the benchmarks.
 */
@NullMarked
package io.volume4j.examples.benchmarks.workload;

import org.jspecify.annotations.NullMarked;
