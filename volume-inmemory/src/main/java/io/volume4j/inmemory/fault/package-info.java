/**
 * Faults by script: which call of a fake fails, when, and how, and where a fake may wait.
 *
 * <p>The fakes of this module run every call through {@link io.volume4j.inmemory.fault.ScriptedCalls}. Nothing here knows
 * what a call does. Depends on the SPI and on the manual clock only; knows no fake.
 */
package io.volume4j.inmemory.fault;
