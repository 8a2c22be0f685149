package io.volume4j.csi.internal.client;

import io.grpc.Status.Code;
import io.volume4j.csi.internal.proto.ControllerGetCapabilitiesRequest;
import io.volume4j.csi.internal.proto.ControllerGrpc;
import io.volume4j.csi.internal.proto.ControllerServiceCapability;
import io.volume4j.csi.internal.proto.GetPluginCapabilitiesRequest;
import io.volume4j.csi.internal.proto.GetPluginInfoRequest;
import io.volume4j.csi.internal.proto.GetPluginInfoResponse;
import io.volume4j.csi.internal.proto.GroupControllerGetCapabilitiesRequest;
import io.volume4j.csi.internal.proto.GroupControllerGrpc;
import io.volume4j.csi.internal.proto.GroupControllerServiceCapability;
import io.volume4j.csi.internal.proto.IdentityGrpc;
import io.volume4j.csi.internal.proto.NodeGetCapabilitiesRequest;
import io.volume4j.csi.internal.proto.NodeGrpc;
import io.volume4j.csi.internal.proto.NodeServiceCapability;
import io.volume4j.csi.internal.proto.PluginCapability;
import io.volume4j.csi.internal.rpc.Advice;
import io.volume4j.csi.internal.rpc.Rpc;
import io.volume4j.csi.internal.rules.DriverCapabilities;
import io.volume4j.csi.internal.transport.CallPhase;
import io.volume4j.spi.CallContext;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Caches the driver's capabilities for each connection. The specification gives all instances of one version the same
 * capabilities, but drivers have options that change them: the version of a new process proves nothing. After an answer
 * UNIMPLEMENTED the cache asks again. It refuses a driver with another name.
 *
 * <p>Thread-safe; two threads may ask at the same time, which only costs a few more calls.
 */
final class CapabilityCache {
    private final RpcCaller caller;
    private volatile @Nullable Known known;
    private volatile @Nullable DriverCapabilities last;

    CapabilityCache(RpcCaller caller) {
        this.caller = caller;
    }

    /**
     * The capabilities of the driver at the other end, from memory if that is safe.
     *
     * @param generation of the connection for the next call
     */
    DriverCapabilities get(long generation, CallContext context) {
        Known remembered = known;
        if (remembered != null && remembered.generation == generation) {
            return remembered.capabilities;
        }
        GetPluginInfoResponse info = caller.unary(
                Rpc.GET_PLUGIN_INFO,
                IdentityGrpc.getGetPluginInfoMethod(),
                GetPluginInfoRequest.getDefaultInstance(),
                context);
        requireSameDriver(info);
        long answering = caller.generation();
        DriverCapabilities capabilities = ask(info, context);
        known = new Known(answering, capabilities);
        last = capabilities;
        return capabilities;
    }

    /** Ids of volumes are valid for one driver only: another driver at the socket could have the same ids. */
    private void requireSameDriver(GetPluginInfoResponse info) {
        DriverCapabilities before = last;
        if (before != null && !before.name().equals(info.getName())) {
            throw CsiException.unreachable(
                    Rpc.GET_PLUGIN_INFO,
                    GetPluginInfoRequest.getDefaultInstance(),
                    caller.describe(),
                    "driver " + info.getName() + " answers where " + before.name() + " did",
                    false);
        }
    }

    /** The last known capabilities of the driver, without a call. */
    Optional<DriverCapabilities> lastKnown() {
        return Optional.ofNullable(last);
    }

    /** Updates the cache after a failed call. */
    void learn(CsiException failure) {
        Known remembered = known;
        if (remembered == null) {
            return;
        }
        if (failure.answered(Code.UNIMPLEMENTED) && failure.advice() == Advice.REFRESH_CAPABILITIES) {
            known = null;
        } else if (failure.phase() != CallPhase.ANSWERED && failure.code() == Code.UNAVAILABLE) {
            known = new Known(Known.NEVER, remembered.capabilities);
        }
    }

    private DriverCapabilities ask(GetPluginInfoResponse info, CallContext context) {
        Set<PluginCapability.Service.Type> services = EnumSet.noneOf(PluginCapability.Service.Type.class);
        Set<PluginCapability.VolumeExpansion.Type> expansion =
                EnumSet.noneOf(PluginCapability.VolumeExpansion.Type.class);
        for (PluginCapability capability : caller.unary(
                        Rpc.GET_PLUGIN_CAPABILITIES,
                        IdentityGrpc.getGetPluginCapabilitiesMethod(),
                        GetPluginCapabilitiesRequest.getDefaultInstance(),
                        context)
                .getCapabilitiesList()) {
            switch (capability.getTypeCase()) {
                case SERVICE -> services.add(capability.getService().getType());
                case VOLUME_EXPANSION ->
                    expansion.add(capability.getVolumeExpansion().getType());
                case TYPE_NOT_SET -> {}
            }
        }
        return new DriverCapabilities(
                info.getName(),
                info.getVendorVersion(),
                services,
                expansion,
                services.contains(PluginCapability.Service.Type.CONTROLLER_SERVICE)
                        ? ifServed(() -> controller(context))
                        : Optional.of(Set.of()),
                ifServed(() -> node(context)),
                services.contains(PluginCapability.Service.Type.GROUP_CONTROLLER_SERVICE)
                        ? ifServed(() -> group(context))
                        : Optional.of(Set.of()));
    }

    private Set<ControllerServiceCapability.RPC.Type> controller(CallContext context) {
        Set<ControllerServiceCapability.RPC.Type> types = new LinkedHashSet<>();
        caller.unary(
                        Rpc.CONTROLLER_GET_CAPABILITIES,
                        ControllerGrpc.getControllerGetCapabilitiesMethod(),
                        ControllerGetCapabilitiesRequest.getDefaultInstance(),
                        context)
                .getCapabilitiesList()
                .forEach(capability -> types.add(capability.getRpc().getType()));
        return types;
    }

    private Set<NodeServiceCapability.RPC.Type> node(CallContext context) {
        Set<NodeServiceCapability.RPC.Type> types = new LinkedHashSet<>();
        caller.unary(
                        Rpc.NODE_GET_CAPABILITIES,
                        NodeGrpc.getNodeGetCapabilitiesMethod(),
                        NodeGetCapabilitiesRequest.getDefaultInstance(),
                        context)
                .getCapabilitiesList()
                .forEach(capability -> types.add(capability.getRpc().getType()));
        return types;
    }

    private Set<GroupControllerServiceCapability.RPC.Type> group(CallContext context) {
        Set<GroupControllerServiceCapability.RPC.Type> types = new LinkedHashSet<>();
        caller.unary(
                        Rpc.GROUP_CONTROLLER_GET_CAPABILITIES,
                        GroupControllerGrpc.getGroupControllerGetCapabilitiesMethod(),
                        GroupControllerGetCapabilitiesRequest.getDefaultInstance(),
                        context)
                .getCapabilitiesList()
                .forEach(capability -> types.add(capability.getRpc().getType()));
        return types;
    }

    /** A driver may serve the service at another socket; then this socket does not have the call. */
    private static <T> Optional<T> ifServed(Supplier<T> question) {
        try {
            return Optional.of(question.get());
        } catch (CsiException e) {
            if (e.answered(Code.UNIMPLEMENTED)) {
                return Optional.empty();
            }
            throw e;
        }
    }

    private record Known(long generation, DriverCapabilities capabilities) {
        static final long NEVER = -1;
    }
}
