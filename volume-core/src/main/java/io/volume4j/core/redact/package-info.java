/**
 * Finds secret values in texts of other programs, in any common encoding. Pure functions without dependencies. With
 * it the core removes secrets from exceptions of plugins, and {@code volume-csi} removes them from answers of
 * drivers.
 */
package io.volume4j.core.redact;
