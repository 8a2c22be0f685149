/**
 * How drivers make themselves known: the directory in which their registrars put sockets, watched, and what is said over
 * such a socket. The listener that is told of a socket decides what becomes of it.
 *
 * <p>May depend on the transport and the generated schema, on nothing that knows what a volume is.
 */
package io.volume4j.csi.internal.registration;
