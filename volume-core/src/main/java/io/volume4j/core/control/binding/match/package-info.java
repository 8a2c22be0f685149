/**
 * Finds the best free volume for a claim: the requirements of claims, the match of a volume, its accessibility, and
 * indexes of free volumes by size, topology and other properties. Pure: depends on the model, not on the control
 * plane.
 */
package io.volume4j.core.control.binding.match;
