package io.volume4j.csi.internal.client;

import io.volume4j.csi.internal.proto.GetPluginCapabilitiesRequest;
import io.volume4j.csi.internal.proto.GetPluginCapabilitiesResponse;
import io.volume4j.csi.internal.proto.GetPluginInfoRequest;
import io.volume4j.csi.internal.proto.GetPluginInfoResponse;
import io.volume4j.csi.internal.proto.IdentityGrpc;
import io.volume4j.csi.internal.proto.ProbeRequest;
import io.volume4j.csi.internal.proto.ProbeResponse;
import io.volume4j.csi.internal.rpc.Rpc;
import io.volume4j.spi.CallContext;

/**
 * The calls about the driver's name, capabilities and readiness. Each checks its request and its answer, blocks until
 * the call is over, and throws {@link CsiException}. Thread-safe.
 */
public final class IdentityCalls {
    private final GatedCaller caller;

    IdentityCalls(GatedCaller caller) {
        this.caller = caller;
    }

    public GetPluginInfoResponse getPluginInfo(GetPluginInfoRequest request, CallContext context) {
        return caller.unary(Rpc.GET_PLUGIN_INFO, IdentityGrpc.getGetPluginInfoMethod(), request, context);
    }

    public GetPluginCapabilitiesResponse getPluginCapabilities(
            GetPluginCapabilitiesRequest request, CallContext context) {
        return caller.unary(
                Rpc.GET_PLUGIN_CAPABILITIES, IdentityGrpc.getGetPluginCapabilitiesMethod(), request, context);
    }

    public ProbeResponse probe(ProbeRequest request, CallContext context) {
        return caller.unary(Rpc.PROBE, IdentityGrpc.getProbeMethod(), request, context);
    }
}
