/**
 * What a node tells its host: pods whose volumes are mounted, steps that begin and end. Pure data; depends on the SPI only,
 * and the node's reconciler depends on it.
 */
package io.volume4j.core.volumes;
