/**
 * Whose a volume's files are: a pod's {@code fsGroup} and how it is applied. Rules as data, and one walk that a backend does
 * descriptor by descriptor. Depends on the SPI only; the node depends on it.
 */
package io.volume4j.core.ownership;
