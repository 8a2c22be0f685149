/** How a benchmark measures and prints: clocks, percentiles, growth, tables, what else ran on the machine, and what the figures were taken on. Knows the JDK and the kernel, and no part of the library. */
@NullMarked
package io.volume4j.examples.benchmarks.measure;

import org.jspecify.annotations.NullMarked;
