/**
 * Passes a call from the socket through the fault rules and the checks to the backend, and returns the answer. May
 * depend on all packages below it.
 */
package io.volume4j.csi.driver.server;
