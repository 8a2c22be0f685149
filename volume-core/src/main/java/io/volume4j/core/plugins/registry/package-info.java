/**
 * Parts of the plugin registry: names of plugins, and the removal of secrets from failures.
 *
 * <p>{@code SecretTrackingHost} is the host of plugins. {@code ActiveSecrets} stores the secrets of running calls,
 * and {@code TextRedactor} removes them from messages and exceptions.
 *
 * <p>May depend on {@code plugins.common}, {@code core.redact} and {@code io.volume4j.spi}. Only the registry, the
 * default host and tests may depend on it.
 */
@NullMarked
package io.volume4j.core.plugins.registry;

import org.jspecify.annotations.NullMarked;
