/** The measured objects: nodes, clusters, plugins and mounts with low costs of their own. May use {@code measure}; no benchmark. */
@NullMarked
package io.volume4j.examples.benchmarks.world;

import org.jspecify.annotations.NullMarked;
