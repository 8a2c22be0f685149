/**
 * Measures the library. {@link io.volume4j.examples.benchmarks.Benchmarks} is the command; each benchmark is one file that
 * builds its world, measures, and prints one table. Depends on everything; nothing depends on it.
 */
@NullMarked
package io.volume4j.examples.benchmarks;

import org.jspecify.annotations.NullMarked;
