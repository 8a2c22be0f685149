/**
 * One connection to one driver: which sockets are trusted, when a channel is replaced, how far a call got.
 *
 * <p>Knows gRPC and Netty, but not what the calls mean; Netty only in {@link
 * io.volume4j.csi.internal.transport.UnixSocketChannels} and the handlers it installs.
 */
package io.volume4j.csi.internal.transport;
