/**
 * Which free volume fits a claim best: what claims need, whether a volume meets it and where it is accessible, and indexes of free volumes by
 * size, place and what else they must have. Pure: it knows the model and nothing of the control plane.
 */
package io.volume4j.core.control.binding.match;
