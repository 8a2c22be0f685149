/**
 * Content of the API as files: secrets, config maps, the downward API, service account tokens, trust bundles,
 * certificates of pods, and projections of them.
 *
 * <p>{@code ContentSources} collects the files of a volume. {@code AtomicWriter} replaces all files of a directory at
 * once. {@code ContentWatch} maps changed objects to volumes.
 *
 * <p>May depend on {@code plugins.common} and {@code io.volume4j.spi}. Only {@code ContentPlugin} may depend on it.
 */
@NullMarked
package io.volume4j.core.plugins.content;

import org.jspecify.annotations.NullMarked;
