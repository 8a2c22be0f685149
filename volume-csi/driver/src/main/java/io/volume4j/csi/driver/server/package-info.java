/**
 * Passes a call from the socket through faults and gates to the backend, and its answer back. May depend on all
 * packages below it.
 */
package io.volume4j.csi.driver.server;
