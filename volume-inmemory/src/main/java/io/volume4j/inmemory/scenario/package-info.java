/**
 * Runs scenario files on the simulator. A scenario file is a YAML document with initial objects, steps and expectations.
 * {@code docs/scenarios.md} describes the format.
 *
 * <p>Depends on the simulator, the fakes and the codec; only command lines may depend on it.
 */
package io.volume4j.inmemory.scenario;
