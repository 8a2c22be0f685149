/**
 * Records the library's work with JDK Flight Recorder. Depends on the SPI only. No other module depends on it, so
 * that the core runs without {@code jdk.jfr}.
 */
@NullMarked
package io.volume4j.jfr;

import org.jspecify.annotations.NullMarked;
