/**
 * Explanations of the current state, as data and as text. Pure data. Depends on no other package; every reconciler
 * depends on it.
 */
package io.volume4j.core.explain;
