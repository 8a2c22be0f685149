/**
 * Listeners of the library's work that need nothing beyond what the library itself needs. Depends on the SPI only; nothing in the
 * library depends on it.
 */
@NullMarked
package io.volume4j.core.observe;

import org.jspecify.annotations.NullMarked;
