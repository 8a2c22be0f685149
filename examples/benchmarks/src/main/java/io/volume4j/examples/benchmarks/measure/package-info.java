/**
 * The measurement and output of benchmarks: clocks, percentiles, growth, tables, other load of the machine, and the environment of the
 * figures. Depends on the JDK and the kernel, and on no part of the library.
 */
@NullMarked
package io.volume4j.examples.benchmarks.measure;

import org.jspecify.annotations.NullMarked;
