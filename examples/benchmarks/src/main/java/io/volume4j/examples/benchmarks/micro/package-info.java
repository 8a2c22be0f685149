/**
 * The small benchmarks, for JMH: one class each, with one parameter that says how much there is of what the cost might grow with.
 * Subjects that are package-private in the library have their class in the subject's package, in this module.
 */
@NullMarked
package io.volume4j.examples.benchmarks.micro;

import org.jspecify.annotations.NullMarked;
