/**
 * The subPaths of containers: the rules for a {@code subPath}, the place of its bind mount, and its removal. Depends
 * on the SPI only; the node depends on it.
 */
package io.volume4j.core.subpath;
