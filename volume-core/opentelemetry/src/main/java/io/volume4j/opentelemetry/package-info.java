/** Records steps with OpenTelemetry. Depends on the SPI only. No other module depends on it. */
@NullMarked
package io.volume4j.opentelemetry;

import org.jspecify.annotations.NullMarked;
