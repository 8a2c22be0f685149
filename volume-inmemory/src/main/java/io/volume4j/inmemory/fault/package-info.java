/**
 * Scripted faults: which call of a fake fails, when and how, and where a fake may wait.
 *
 * <p>The fakes of this module run every call through {@link io.volume4j.inmemory.fault.ScriptedCalls}. The package
 * does not interpret calls. Depends on the SPI and on the manual clock only, and on no fake.
 */
package io.volume4j.inmemory.fault;
