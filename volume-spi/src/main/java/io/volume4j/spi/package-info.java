/**
 * What every part shares: how a call can fail, and what a volume is called.
 *
 * <p>May depend on {@link io.volume4j.spi.model} and nothing else; everything may depend on it.
 */
package io.volume4j.spi;
