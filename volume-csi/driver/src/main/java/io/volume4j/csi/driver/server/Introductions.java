package io.volume4j.csi.driver.server;

import com.google.protobuf.BoolValue;
import io.volume4j.csi.driver.options.Quirk;
import io.volume4j.csi.internal.proto.ControllerGetCapabilitiesResponse;
import io.volume4j.csi.internal.proto.ControllerServiceCapability;
import io.volume4j.csi.internal.proto.GetPluginCapabilitiesResponse;
import io.volume4j.csi.internal.proto.GetPluginInfoResponse;
import io.volume4j.csi.internal.proto.GroupControllerGetCapabilitiesResponse;
import io.volume4j.csi.internal.proto.GroupControllerServiceCapability;
import io.volume4j.csi.internal.proto.NodeGetCapabilitiesResponse;
import io.volume4j.csi.internal.proto.NodeServiceCapability;
import io.volume4j.csi.internal.proto.PluginCapability;
import io.volume4j.csi.internal.proto.ProbeResponse;

/** The driver's answers about its name, readiness and capabilities. */
final class Introductions {
    private final DriverCore core;

    Introductions(DriverCore core) {
        this.core = core;
    }

    GetPluginInfoResponse info() {
        return GetPluginInfoResponse.newBuilder()
                .setName(core.options.name())
                .setVendorVersion(core.options.version())
                .putManifest("url", "https://volume4j.io/csi-driver")
                .build();
    }

    GetPluginCapabilitiesResponse plugin() {
        GetPluginCapabilitiesResponse.Builder reply = GetPluginCapabilitiesResponse.newBuilder();
        for (String name : core.options.switches().of("plugin")) {
            PluginCapability.Service.Builder service = PluginCapability.Service.newBuilder();
            if (number(name)) {
                service.setTypeValue(Integer.parseInt(name));
            } else {
                service.setType(PluginCapability.Service.Type.valueOf(name));
            }
            reply.addCapabilities(PluginCapability.newBuilder().setService(service));
        }
        if (core.options.has(Quirk.NO_PLUGIN_EXPANSION)) {
            return reply.build();
        }
        for (String name : core.options.switches().of("expansion")) {
            PluginCapability.VolumeExpansion.Builder expansion = PluginCapability.VolumeExpansion.newBuilder();
            if (number(name)) {
                expansion.setTypeValue(Integer.parseInt(name));
            } else {
                expansion.setType(PluginCapability.VolumeExpansion.Type.valueOf(name));
            }
            reply.addCapabilities(PluginCapability.newBuilder().setVolumeExpansion(expansion));
        }
        return reply.build();
    }

    ProbeResponse probe() {
        if (core.options.has(Quirk.PROBE_WITHOUT_READY)) {
            return ProbeResponse.getDefaultInstance();
        }
        boolean ready = core.probesUntilReady.getAndUpdate(left -> Math.max(0, left - 1)) == 0;
        return ProbeResponse.newBuilder().setReady(BoolValue.of(ready)).build();
    }

    ControllerGetCapabilitiesResponse controller() {
        ControllerGetCapabilitiesResponse.Builder reply = ControllerGetCapabilitiesResponse.newBuilder();
        for (String name : core.options.switches().of("controller")) {
            ControllerServiceCapability.RPC.Builder rpc = ControllerServiceCapability.RPC.newBuilder();
            if (number(name)) {
                rpc.setTypeValue(Integer.parseInt(name));
            } else {
                rpc.setType(ControllerServiceCapability.RPC.Type.valueOf(name));
            }
            reply.addCapabilities(ControllerServiceCapability.newBuilder().setRpc(rpc));
        }
        return reply.build();
    }

    NodeGetCapabilitiesResponse node() {
        NodeGetCapabilitiesResponse.Builder reply = NodeGetCapabilitiesResponse.newBuilder();
        for (String name : core.options.switches().of("node")) {
            NodeServiceCapability.RPC.Builder rpc = NodeServiceCapability.RPC.newBuilder();
            if (number(name)) {
                rpc.setTypeValue(Integer.parseInt(name));
            } else {
                rpc.setType(NodeServiceCapability.RPC.Type.valueOf(name));
            }
            reply.addCapabilities(NodeServiceCapability.newBuilder().setRpc(rpc));
        }
        return reply.build();
    }

    GroupControllerGetCapabilitiesResponse group() {
        GroupControllerGetCapabilitiesResponse.Builder reply = GroupControllerGetCapabilitiesResponse.newBuilder();
        for (String name : core.options.switches().of("group")) {
            GroupControllerServiceCapability.RPC.Builder rpc = GroupControllerServiceCapability.RPC.newBuilder();
            if (number(name)) {
                rpc.setTypeValue(Integer.parseInt(name));
            } else {
                rpc.setType(GroupControllerServiceCapability.RPC.Type.valueOf(name));
            }
            reply.addCapabilities(GroupControllerServiceCapability.newBuilder().setRpc(rpc));
        }
        return reply.build();
    }

    private static boolean number(String name) {
        return Character.isDigit(name.charAt(0));
    }
}
