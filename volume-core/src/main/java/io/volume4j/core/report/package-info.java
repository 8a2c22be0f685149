/**
 * How reconcilers report to hosts: measurements under the field's names. Depends on the SPI only; every reconciler may
 * depend on it.
 */
package io.volume4j.core.report;
