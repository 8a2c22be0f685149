/**
 * Scenario files: a YAML document that says what was there, what happened and what must be true, and what runs it on the
 * simulator. The format stands in {@code docs/scenarios.md}.
 *
 * <p>Depends on the simulator, the fakes and the codec; only command lines may depend on it.
 */
package io.volume4j.inmemory.scenario;
