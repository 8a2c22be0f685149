/** Gives the work to JDK Flight Recorder. Depends on the SPI only; nothing depends on it, so that the core runs without {@code jdk.jfr}. */
@NullMarked
package io.volume4j.jfr;

import org.jspecify.annotations.NullMarked;
