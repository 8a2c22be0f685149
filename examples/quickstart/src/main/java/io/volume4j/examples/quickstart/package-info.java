/**
 * A complete small orchestrator for one machine. It reads manifests, keeps the objects in memory and on disk, binds claims,
 * mounts volumes for pods, and tears everything down again. It uses the library like any other host.
 */
@NullMarked
package io.volume4j.examples.quickstart;

import org.jspecify.annotations.NullMarked;
