/**
 * Parts of volumes for single containers: what a {@code subPath} may say, where it is bound, and how it is taken away again.
 * Depends on the SPI only; the node depends on it.
 */
package io.volume4j.core.subpath;
