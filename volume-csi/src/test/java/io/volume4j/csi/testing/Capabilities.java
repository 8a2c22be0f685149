package io.volume4j.csi.testing;

import io.volume4j.csi.internal.proto.ControllerGetCapabilitiesResponse;
import io.volume4j.csi.internal.proto.ControllerGrpc;
import io.volume4j.csi.internal.proto.ControllerServiceCapability;
import io.volume4j.csi.internal.proto.GetPluginCapabilitiesResponse;
import io.volume4j.csi.internal.proto.GetPluginInfoResponse;
import io.volume4j.csi.internal.proto.GroupControllerGetCapabilitiesResponse;
import io.volume4j.csi.internal.proto.GroupControllerGrpc;
import io.volume4j.csi.internal.proto.GroupControllerServiceCapability;
import io.volume4j.csi.internal.proto.IdentityGrpc;
import io.volume4j.csi.internal.proto.NodeGetCapabilitiesResponse;
import io.volume4j.csi.internal.proto.NodeGrpc;
import io.volume4j.csi.internal.proto.NodeServiceCapability;
import io.volume4j.csi.internal.proto.PluginCapability;
import java.util.Arrays;
import java.util.List;

/** Scripts what a driver says about itself. */
public final class Capabilities {
    private Capabilities() {}

    public static ScriptedDriver named(ScriptedDriver driver, String name, String version) {
        return driver.on(
                IdentityGrpc.getGetPluginInfoMethod(),
                request -> GetPluginInfoResponse.newBuilder()
                        .setName(name)
                        .setVendorVersion(version)
                        .build());
    }

    public static ScriptedDriver services(ScriptedDriver driver, PluginCapability.Service.Type... types) {
        GetPluginCapabilitiesResponse.Builder reply = GetPluginCapabilitiesResponse.newBuilder();
        for (PluginCapability.Service.Type type : types) {
            reply.addCapabilities(PluginCapability.newBuilder()
                    .setService(PluginCapability.Service.newBuilder().setType(type)));
        }
        // from a driver that is newer than we are
        reply.addCapabilities(PluginCapability.newBuilder()
                .setService(PluginCapability.Service.newBuilder().setTypeValue(4711)));
        reply.addCapabilities(PluginCapability.getDefaultInstance());
        return driver.on(IdentityGrpc.getGetPluginCapabilitiesMethod(), request -> reply.build());
    }

    public static ScriptedDriver controller(ScriptedDriver driver, ControllerServiceCapability.RPC.Type... types) {
        ControllerGetCapabilitiesResponse.Builder reply = ControllerGetCapabilitiesResponse.newBuilder();
        for (ControllerServiceCapability.RPC.Type type : types) {
            reply.addCapabilities(ControllerServiceCapability.newBuilder()
                    .setRpc(ControllerServiceCapability.RPC.newBuilder().setType(type)));
        }
        return driver.on(ControllerGrpc.getControllerGetCapabilitiesMethod(), request -> reply.build());
    }

    public static ScriptedDriver node(ScriptedDriver driver, NodeServiceCapability.RPC.Type... types) {
        NodeGetCapabilitiesResponse.Builder reply = NodeGetCapabilitiesResponse.newBuilder();
        for (NodeServiceCapability.RPC.Type type : types) {
            reply.addCapabilities(NodeServiceCapability.newBuilder()
                    .setRpc(NodeServiceCapability.RPC.newBuilder().setType(type)));
        }
        return driver.on(NodeGrpc.getNodeGetCapabilitiesMethod(), request -> reply.build());
    }

    /** Of everything the schema knows. */
    public static ScriptedDriver all(ScriptedDriver driver) {
        named(driver, "all.example.com", "1.0");
        services(driver, known(PluginCapability.Service.Type.values()));
        controller(driver, known(ControllerServiceCapability.RPC.Type.values()));
        node(driver, known(NodeServiceCapability.RPC.Type.values()));
        GroupControllerGetCapabilitiesResponse.Builder group = GroupControllerGetCapabilitiesResponse.newBuilder();
        for (GroupControllerServiceCapability.RPC.Type type :
                known(GroupControllerServiceCapability.RPC.Type.values())) {
            group.addCapabilities(GroupControllerServiceCapability.newBuilder()
                    .setRpc(GroupControllerServiceCapability.RPC.newBuilder().setType(type)));
        }
        return driver.on(GroupControllerGrpc.getGroupControllerGetCapabilitiesMethod(), request -> group.build());
    }

    /** Of the controller and the node of CSI 1.12. */
    public static ScriptedDriver of112(ScriptedDriver driver) {
        controller(
                driver,
                without(
                        ControllerServiceCapability.RPC.Type.values(),
                        "UNRECOGNIZED GET_VOLUME_HEALTH LIST_VOLUME_HEALTH"));
        return node(
                driver,
                without(NodeServiceCapability.RPC.Type.values(), "UNRECOGNIZED GET_VOLUME_HEALTH GET_STORAGE_HEALTH"));
    }

    private static <E extends Enum<E>> E[] without(E[] values, String names) {
        List<String> left = List.of(names.split(" "));
        return Arrays.stream(values)
                .filter(value -> !left.contains(value.name()))
                .toList()
                .toArray(Arrays.copyOf(values, 0));
    }

    private static <E extends Enum<E>> E[] known(E[] values) {
        return Arrays.stream(values)
                .filter(value -> !value.name().equals("UNRECOGNIZED"))
                .toList()
                .toArray(Arrays.copyOf(values, 0));
    }
}
