/**
 * Why something is as it is, as data and as text. Pure data; depends on nothing, and every reconciler depends on it.
 */
package io.volume4j.core.explain;
