/** What benchmarks measure: nodes, clusters, plugins and mounts that cost little themselves. May use {@code measure}; knows no benchmark. */
@NullMarked
package io.volume4j.examples.benchmarks.world;

import org.jspecify.annotations.NullMarked;
