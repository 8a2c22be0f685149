/**
 * Measures the library. {@link io.volume4j.examples.benchmarks.Benchmarks} is the command; each benchmark is one file that
 * creates its world, measures, and prints one table. Depends on all modules; no module depends on it.
 */
@NullMarked
package io.volume4j.examples.benchmarks;

import org.jspecify.annotations.NullMarked;
