/**
 * A complete small orchestrator for one machine: reads manifests, keeps the objects in memory and on disk, binds claims,
 * mounts volumes for pods, and takes everything down again. Depends on the library as any host would.
 */
@NullMarked
package io.volume4j.examples.quickstart;

import org.jspecify.annotations.NullMarked;
