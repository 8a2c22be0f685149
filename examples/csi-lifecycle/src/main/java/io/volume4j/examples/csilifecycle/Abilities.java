package io.volume4j.examples.csilifecycle;

import io.volume4j.csi.internal.proto.ControllerServiceCapability.RPC;
import io.volume4j.csi.internal.proto.GroupControllerServiceCapability;
import io.volume4j.csi.internal.proto.NodeServiceCapability;
import io.volume4j.csi.internal.proto.PluginCapability;
import io.volume4j.csi.internal.rules.DriverCapabilities;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The driver's capabilities that the lifecycle uses: of the controller service at one socket, and of the node service
 * at another.
 *
 * @param mostOnNode most volumes on the node, 0 for no limit
 * @param hasNodeInfo whether NodeGetInfo answers; drivers without an attach step and without topology need not have it
 */
record Abilities(DriverCapabilities controllerSide, DriverCapabilities nodeSide, long mostOnNode, boolean hasNodeInfo) {
    Abilities(DriverCapabilities controllerSide, DriverCapabilities nodeSide) {
        this(controllerSide, nodeSide, 0, nodeSide.node().isPresent());
    }

    Abilities withoutNodeInfo() {
        return new Abilities(controllerSide, nodeSide, 0, false);
    }

    Abilities withMostOnNode(long most) {
        return new Abilities(controllerSide, nodeSide, most, true);
    }

    /** Whether one volume must leave the node before the next. */
    boolean oneAtATime() {
        return mostOnNode == 1 && hasNode();
    }

    /** All capabilities, for a plan without a driver. */
    static Abilities everything() {
        Set<PluginCapability.Service.Type> services = EnumSet.allOf(PluginCapability.Service.Type.class);
        DriverCapabilities all = new DriverCapabilities(
                "any",
                "",
                services,
                EnumSet.of(PluginCapability.VolumeExpansion.Type.ONLINE),
                Optional.of(EnumSet.allOf(RPC.Type.class)),
                Optional.of(EnumSet.allOf(NodeServiceCapability.RPC.Type.class)),
                Optional.of(EnumSet.allOf(GroupControllerServiceCapability.RPC.Type.class)));
        return new Abilities(all, all);
    }

    boolean controller(RPC.Type type) {
        return controllerSide.has(PluginCapability.Service.Type.CONTROLLER_SERVICE) && controllerSide.has(type);
    }

    boolean node(NodeServiceCapability.RPC.Type type) {
        return nodeSide.has(type);
    }

    /** Whether the node service answers. */
    boolean hasNode() {
        return nodeSide.node().isPresent();
    }

    boolean attach() {
        return controller(RPC.Type.PUBLISH_UNPUBLISH_VOLUME);
    }

    boolean stage() {
        return node(NodeServiceCapability.RPC.Type.STAGE_UNSTAGE_VOLUME);
    }

    /** A driver that lists the health of volumes must answer for a single one as well. */
    boolean controllerHealth() {
        return controller(RPC.Type.GET_VOLUME_HEALTH) || controller(RPC.Type.LIST_VOLUME_HEALTH);
    }

    boolean topology() {
        return controllerSide.has(PluginCapability.Service.Type.VOLUME_ACCESSIBILITY_CONSTRAINTS);
    }

    boolean metadata() {
        return controllerSide.has(PluginCapability.Service.Type.SNAPSHOT_METADATA_SERVICE);
    }

    boolean groups() {
        return controllerSide.has(PluginCapability.Service.Type.GROUP_CONTROLLER_SERVICE)
                && controllerSide.has(
                        GroupControllerServiceCapability.RPC.Type.CREATE_DELETE_GET_VOLUME_GROUP_SNAPSHOT);
    }

    /** Whether volumes can be expanded only offline. */
    boolean offlineExpansionOnly() {
        Set<PluginCapability.VolumeExpansion.Type> expansion = controllerSide.expansion();
        return expansion.contains(PluginCapability.VolumeExpansion.Type.OFFLINE)
                && !expansion.contains(PluginCapability.VolumeExpansion.Type.ONLINE);
    }

    /** In words, for the beginning of the output. */
    List<String> words() {
        List<String> words = new ArrayList<>();
        add(words, "create", controller(RPC.Type.CREATE_DELETE_VOLUME));
        add(words, "attach", attach());
        add(words, "stage", stage());
        add(words, offlineExpansionOnly() ? "expand offline" : "expand", controller(RPC.Type.EXPAND_VOLUME));
        add(words, "modify", controller(RPC.Type.MODIFY_VOLUME));
        add(words, "snapshot", controller(RPC.Type.CREATE_DELETE_SNAPSHOT));
        add(words, "group snapshot", groups());
        add(words, "snapshot metadata", metadata());
        add(words, "clone", controller(RPC.Type.CLONE_VOLUME));
        add(words, "list", controller(RPC.Type.LIST_VOLUMES));
        add(words, "capacity", controller(RPC.Type.GET_CAPACITY));
        add(words, "topology", topology());
        add(words, "health", controllerHealth() || node(NodeServiceCapability.RPC.Type.GET_VOLUME_HEALTH));
        add(words, "storage health", node(NodeServiceCapability.RPC.Type.GET_STORAGE_HEALTH));
        add(words, "stats", node(NodeServiceCapability.RPC.Type.GET_VOLUME_STATS));
        return words;
    }

    private static void add(List<String> words, String word, boolean has) {
        if (has) {
            words.add(word);
        }
    }
}
