package io.volume4j.csi.internal.transport;

import com.google.common.util.concurrent.ListenableFuture;
import io.grpc.CallOptions;
import io.grpc.stub.ClientCalls;
import io.volume4j.csi.internal.proto.GetPluginInfoRequest;
import io.volume4j.csi.internal.proto.IdentityGrpc;
import io.volume4j.csi.internal.proto.ProbeRequest;
import io.volume4j.csi.internal.proto.ProbeResponse;
import java.util.concurrent.TimeUnit;

/** Calls that every driver has, over a connection without the client above it. */
final class IdentityCalls {
    private IdentityCalls() {}

    /** A call that runs, without a deadline. */
    static ListenableFuture<ProbeResponse> probe(CsiConnection connection) throws Exception {
        return ClientCalls.futureUnaryCall(
                connection.lease().channel().newCall(IdentityGrpc.getProbeMethod(), CallOptions.DEFAULT),
                ProbeRequest.getDefaultInstance());
    }

    /** A call that has its answer. */
    static void info(CsiConnection connection) throws Exception {
        ClientCalls.blockingUnaryCall(
                connection.lease().channel(),
                IdentityGrpc.getGetPluginInfoMethod(),
                CallOptions.DEFAULT.withDeadlineAfter(60, TimeUnit.SECONDS),
                GetPluginInfoRequest.getDefaultInstance());
    }
}
