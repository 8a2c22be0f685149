/**
 * The rules for faults, as text and as values: which call fails, when and how. Depends on no other package of the
 * project except the generated code, which has the names of the calls, and has no effects.
 */
package io.volume4j.csi.driver.fault;
