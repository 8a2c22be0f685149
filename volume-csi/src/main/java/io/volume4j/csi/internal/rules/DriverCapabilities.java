package io.volume4j.csi.internal.rules;

import io.volume4j.csi.internal.proto.ControllerServiceCapability;
import io.volume4j.csi.internal.proto.GroupControllerServiceCapability;
import io.volume4j.csi.internal.proto.NodeServiceCapability;
import io.volume4j.csi.internal.proto.PluginCapability;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

/**
 * The capabilities that a driver reports, without values that this version of the schema does not know. An empty Optional
 * means that the driver does not serve that service at this endpoint. This is common: many drivers have different sockets
 * for the node and the controller. Then the capabilities are unknown, and the library refuses no call because of them.
 *
 * @param name the driver's name
 * @param vendorVersion opaque; options of a driver may change its capabilities without changing this
 */
public record DriverCapabilities(
        String name,
        String vendorVersion,
        Set<PluginCapability.Service.Type> services,
        Set<PluginCapability.VolumeExpansion.Type> expansion,
        Optional<Set<ControllerServiceCapability.RPC.Type>> controller,
        Optional<Set<NodeServiceCapability.RPC.Type>> node,
        Optional<Set<GroupControllerServiceCapability.RPC.Type>> group) {

    public DriverCapabilities {
        services = copy(services, PluginCapability.Service.Type.class);
        expansion = copy(expansion, PluginCapability.VolumeExpansion.Type.class);
        controller = controller.map(set -> copy(set, ControllerServiceCapability.RPC.Type.class));
        node = node.map(set -> copy(set, NodeServiceCapability.RPC.Type.class));
        group = group.map(set -> copy(set, GroupControllerServiceCapability.RPC.Type.class));
    }

    public boolean has(PluginCapability.Service.Type service) {
        return services.contains(service);
    }

    /** Whether the driver is known to have the capability. */
    public boolean has(ControllerServiceCapability.RPC.Type capability) {
        return controller.isPresent() && controller.get().contains(capability);
    }

    /** Whether the driver is known to have the capability. */
    public boolean has(NodeServiceCapability.RPC.Type capability) {
        return node.isPresent() && node.get().contains(capability);
    }

    /** Whether the driver is known to have the capability. */
    public boolean has(GroupControllerServiceCapability.RPC.Type capability) {
        return group.isPresent() && group.get().contains(capability);
    }

    /** Whether the driver is known not to have the capability. */
    public boolean lacks(ControllerServiceCapability.RPC.Type capability) {
        return controller.isPresent() && !controller.get().contains(capability);
    }

    /** Whether the driver is known not to have the capability. */
    public boolean lacks(NodeServiceCapability.RPC.Type capability) {
        return node.isPresent() && !node.get().contains(capability);
    }

    /** Whether the driver is known not to have the capability. */
    public boolean lacks(GroupControllerServiceCapability.RPC.Type capability) {
        return group.isPresent() && !group.get().contains(capability);
    }

    private static <E extends Enum<E>> Set<E> copy(Collection<E> values, Class<E> type) {
        EnumSet<E> copy = EnumSet.noneOf(type);
        copy.addAll(values);
        return Collections.unmodifiableSet(copy);
    }
}
