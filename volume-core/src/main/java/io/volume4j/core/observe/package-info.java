/**
 * Observers of the library's work that need no further dependency. Depends on the SPI only. No other package of the
 * library depends on it.
 */
@NullMarked
package io.volume4j.core.observe;

import org.jspecify.annotations.NullMarked;
