/** Records measurements with Micrometer. Depends on the SPI only. No other module depends on it. */
@NullMarked
package io.volume4j.micrometer;

import org.jspecify.annotations.NullMarked;
