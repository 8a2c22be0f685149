/**
 * What the registry needs beside its front: names of plugins, and secrets kept out of failures.
 *
 * <p>{@code SecretTrackingHost} is the host as plugins see it; {@code ActiveSecrets} remembers the secrets of the calls under way,
 * and {@code TextRedactor} takes them out of messages and exceptions.
 *
 * <p>May depend on {@code plugins.common}, {@code core.redact} and {@code io.volume4j.spi}. Only the registry, the default host and
 * tests may depend on it.
 */
@NullMarked
package io.volume4j.core.plugins.registry;

import org.jspecify.annotations.NullMarked;
