/**
 * The small benchmarks, for JMH: one class each, with one parameter for the amount with which the cost might grow. A benchmark of
 * a package-private class is in the package of that class, in this module.
 */
@NullMarked
package io.volume4j.examples.benchmarks.micro;

import org.jspecify.annotations.NullMarked;
