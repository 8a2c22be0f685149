/**
 * How reconcilers deal with what others wrote: measurements under the field's names, listeners of hosts that cannot do harm, and results
 * of plugins, which may be missing. Depends on the SPI
 * alone; every reconciler may depend on it.
 */
package io.volume4j.core.report;
