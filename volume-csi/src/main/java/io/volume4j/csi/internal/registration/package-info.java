/**
 * The registration of drivers: it watches the directory with the sockets of drivers' registrars, and implements their
 * protocol. The listener decides about each socket.
 *
 * <p>Depends on the transport and the generated schema only.
 */
package io.volume4j.csi.internal.registration;
