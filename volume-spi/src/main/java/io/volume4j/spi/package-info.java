/**
 * Types that all modules share: how a call can fail, and how a volume is identified.
 *
 * <p>Depends on {@link io.volume4j.spi.model} only. All other packages may depend on it.
 */
package io.volume4j.spi;
