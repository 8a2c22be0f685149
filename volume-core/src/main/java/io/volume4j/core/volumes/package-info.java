/**
 * The data that reconcilers report to their host, for example mounted pods, steps and plans. Pure data. Depends on
 * the SPI only; the reconcilers depend on it.
 */
package io.volume4j.core.volumes;
