/**
 * One connection to one driver: which sockets are trusted, when a channel is replaced, how far a call got.
 *
 * <p>Uses gRPC and Netty, but does not interpret the calls. Uses Netty only in {@link
 * io.volume4j.csi.internal.transport.UnixSocketChannels} and the handlers it installs.
 */
package io.volume4j.csi.internal.transport;
