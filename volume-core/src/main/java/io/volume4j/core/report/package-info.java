/**
 * Shared parts of reconcilers: measurements with the names of Kubernetes, guarded listeners of hosts, and checks of
 * plugins' results, which may be missing. Depends on the SPI only; every reconciler may depend on it.
 */
package io.volume4j.core.report;
