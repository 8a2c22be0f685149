/**
 * The storage of the driver: its state, the effect of each call, and the calls that a correct caller never makes. May
 * depend on options. Never depends on gRPC's transport, faults or sockets, so that the meaning of a call is
 * independent of faults on its way.
 */
package io.volume4j.csi.driver.backend;
