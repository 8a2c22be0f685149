/**
 * How fast the library is, as programs that print a table. Each run measures several sizes or variants, so that ratios can be
 * read off one run and do not depend on the machine. Uses only what a host can use.
 */
@NullMarked
package io.volume4j.examples.benchmarks;

import org.jspecify.annotations.NullMarked;
