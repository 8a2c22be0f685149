import org.jspecify.annotations.NullMarked;

/** CSI for the orchestrator side: any CSI driver behind a Unix socket. */
@NullMarked
module io.volume4j.csi {
    requires static transitive org.jspecify;
    requires transitive io.volume4j.core;
    requires transitive io.volume4j.spi;
    requires transitive io.grpc;
    requires static com.google.errorprone.annotations;
    requires com.google.common;
    requires com.google.common.util.concurrent.internal;
    requires com.google.protobuf;
    requires io.grpc.netty;
    requires io.grpc.protobuf;
    requires io.grpc.stub;
    requires io.grpc.util;
    requires io.netty.codec.http2;
    requires io.netty.common;
    requires io.netty.transport;
    requires io.netty.transport.unix.common;
    requires jdk.net;
    requires jdk.unsupported;
    requires org.slf4j;

    exports io.volume4j.csi;
    // protobuf finds the accessors of generated messages by reflection
    exports io.volume4j.csi.internal.proto to
            com.google.protobuf,
            io.volume4j.csi.driver;
    exports io.volume4j.csi.internal.proto.metadata to
            com.google.protobuf;
    exports io.volume4j.csi.internal.proto.registration to
            com.google.protobuf,
            io.volume4j.csi.driver;
}
