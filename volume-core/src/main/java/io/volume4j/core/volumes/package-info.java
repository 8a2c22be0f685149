/**
 * What reconcilers tell their host: pods whose volumes are mounted, steps that begin and end. Pure data; depends on the SPI
 * only, and the reconcilers depend on it.
 */
package io.volume4j.core.volumes;
