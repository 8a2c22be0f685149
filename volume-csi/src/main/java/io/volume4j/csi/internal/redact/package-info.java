/**
 * Removes secrets from all texts. Depends on the schema's options only. All code that converts a CSI message or a
 * driver's answer to text must use this package.
 */
package io.volume4j.csi.internal.redact;
