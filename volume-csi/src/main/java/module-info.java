import org.jspecify.annotations.NullMarked;

/** CSI for the orchestrator side. */
@NullMarked
module io.volume4j.csi {
    requires static transitive org.jspecify;
    requires transitive io.volume4j.spi;
    requires transitive io.grpc;
    requires com.google.common;
    requires com.google.protobuf;
    requires io.grpc.protobuf;
    requires io.grpc.stub;
    requires org.slf4j;
}
