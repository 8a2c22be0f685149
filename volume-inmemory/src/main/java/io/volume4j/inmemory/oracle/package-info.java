/**
 * The oracle: an independent model of the outside world, and the rules that must always hold.
 *
 * <p>The simulator reports calls, effects and objects to the {@link io.volume4j.inmemory.oracle.Oracle}. The fakes
 * report violations that they find themselves. Depends on the model of the SPI only, and uses neither the library nor
 * the fakes.
 */
package io.volume4j.inmemory.oracle;
