/** The way of a call from the socket through faults and gates to the backend, and back. May depend on all packages below it. */
package io.volume4j.csi.driver.server;
