/**
 * How reconcilers report to hosts: measurements under the field's names, and listeners that cannot do harm. Depends on the SPI
 * alone; every reconciler may depend on it.
 */
package io.volume4j.core.report;
