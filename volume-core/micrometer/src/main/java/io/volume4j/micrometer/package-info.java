/** Gives measurements to Micrometer. Depends on the SPI only; nothing depends on it. */
@NullMarked
package io.volume4j.micrometer;

import org.jspecify.annotations.NullMarked;
