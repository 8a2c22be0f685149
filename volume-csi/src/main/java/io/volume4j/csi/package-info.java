/**
 * What a host needs in order to use CSI drivers: where they listen and how to talk to them.
 *
 * <p>The only exported package. No type of protobuf or Netty appears here, and of gRPC only {@code io.grpc.Channel}, for a
 * host that brings its own. May depend on everything below it.
 */
package io.volume4j.csi;
