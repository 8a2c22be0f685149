package io.volume4j.csi.internal.client;

import com.google.protobuf.Message;
import io.grpc.MethodDescriptor;
import io.volume4j.csi.internal.rpc.Rpc;
import io.volume4j.csi.internal.rules.DriverCapabilities;
import io.volume4j.csi.internal.rules.Gates;
import io.volume4j.spi.CallContext;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** Sends a call only to a driver that supports it, and updates the cached capabilities after failures. */
final class GatedCaller {
    private final RpcCaller caller;
    private final CapabilityCache capabilities;

    GatedCaller(RpcCaller caller, CapabilityCache capabilities) {
        this.caller = caller;
        this.capabilities = capabilities;
    }

    <Q extends Message, R extends Message> R unary(
            Rpc rpc, MethodDescriptor<Q, R> method, Q request, CallContext context) {
        try {
            return caller.unary(rpc, method, request, context, gate(rpc, request, context));
        } catch (CsiException e) {
            capabilities.learn(e);
            throw e;
        }
    }

    <Q extends Message, R extends Message> void stream(
            Rpc rpc, MethodDescriptor<Q, R> method, Q request, CallContext context, Consumer<R> sink) {
        try {
            caller.stream(rpc, method, request, context, gate(rpc, request, context), sink);
        } catch (CsiException e) {
            capabilities.learn(e);
            throw e;
        }
    }

    DriverCapabilities capabilities(CallContext context) {
        return capabilities.get(caller.nextGeneration(), context);
    }

    Optional<DriverCapabilities> lastKnown() {
        return capabilities.lastKnown();
    }

    long nextGeneration() {
        return caller.nextGeneration();
    }

    String driver() {
        return caller.describe();
    }

    private RpcCaller.Guard gate(Rpc rpc, Message request, CallContext context) {
        return generation -> {
            if (!Gates.guards(rpc)) {
                return;
            }
            List<String> missing = Gates.missing(rpc, request, capabilities.get(generation, context));
            if (!missing.isEmpty()) {
                throw CsiException.unsupported(rpc, request, caller.describe(), missing);
            }
        };
    }
}
