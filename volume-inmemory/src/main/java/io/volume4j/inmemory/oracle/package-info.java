/**
 * The judge: an independent model of what is outside, and the rules that hold whatever happens.
 *
 * <p>{@link io.volume4j.inmemory.oracle.Oracle} is fed with calls, effects and objects by the simulator; the fakes report
 * here what they noticed themselves. Depends on the model of the SPI only, and knows neither the library nor the fakes.
 */
package io.volume4j.inmemory.oracle;
