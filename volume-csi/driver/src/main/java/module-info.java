import org.jspecify.annotations.NullMarked;

/**
 * A CSI driver for tests of this library and of users: every service, scripted faults, and an oracle that checks its
 * caller.
 */
@NullMarked
module io.volume4j.csi.driver {
    requires static transitive org.jspecify;
    requires com.fasterxml.jackson.databind;
    requires com.google.protobuf;
    requires static com.google.errorprone.annotations;
    requires io.grpc;
    requires io.grpc.netty;
    requires io.grpc.protobuf;
    requires io.grpc.stub;
    requires io.netty.buffer;
    requires io.netty.common;
    requires io.netty.transport;
    requires io.volume4j.core;
    requires io.volume4j.csi;

    exports io.volume4j.csi.driver;
    exports io.volume4j.csi.driver.fault;
    exports io.volume4j.csi.driver.options;
    exports io.volume4j.csi.driver.oracle;

    // the records of the state file
    opens io.volume4j.csi.driver.backend to
            com.fasterxml.jackson.databind;
}
