/**
 * Applies a pod's {@code fsGroup} to the files of a volume. The rules are data; the backend walks the files
 * descriptor by descriptor. Depends on the SPI only; the node depends on it.
 */
package io.volume4j.core.ownership;
