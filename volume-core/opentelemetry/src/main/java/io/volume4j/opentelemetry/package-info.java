/** Gives steps to OpenTelemetry. Depends on the SPI only; nothing depends on it. */
@NullMarked
package io.volume4j.opentelemetry;

import org.jspecify.annotations.NullMarked;
