/**
 * The API for hosts that use CSI drivers.
 *
 * <p>The only exported package of the module. Its signatures contain no types of protobuf or Netty. Of gRPC they
 * contain only {@code io.grpc.Channel}, for a host with its own channel. May depend on all packages below it.
 */
package io.volume4j.csi;
