/**
 * The storage behind the driver: what exists, what each call does to it, and what of it a correct caller never asks for. May
 * depend on options; never on gRPC's transport, on faults or on sockets, so that what a call means is the same however it
 * was disturbed on its way.
 */
package io.volume4j.csi.driver.backend;
