/** Claims bound over HTTP: the store in a process of its own, and a bare client that sends the same writes as a controller. */
@NullMarked
package io.volume4j.examples.benchmarks.http;

import org.jspecify.annotations.NullMarked;
