package io.volume4j.csi.driver.options;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * The capabilities that a driver reports and has; immutable. Each is named {@code KIND.NAME} after the schema:
 * {@code plugin.CONTROLLER_SERVICE}, {@code expansion.ONLINE}, {@code controller.CLONE_VOLUME},
 * {@code node.STAGE_UNSTAGE_VOLUME}, {@code group.CREATE_DELETE_GET_VOLUME_GROUP_SNAPSHOT}. A number instead of a name is a
 * value that no schema knows yet; callers must ignore it. Three names are not in the schema: {@code access.MOUNT},
 * {@code access.BLOCK} and {@code access.EPHEMERAL}.
 *
 * <p>Names in lower case are groups of capabilities, see {@link #groups()}.
 *
 * @since 0.1.0
 */
public final class Switches {
    private static final Set<String> ALL = new TreeSet<>(Arrays.asList(
            "access.BLOCK",
            "access.EPHEMERAL",
            "access.MOUNT",
            "controller.CLONE_VOLUME",
            "controller.CREATE_DELETE_SNAPSHOT",
            "controller.CREATE_DELETE_VOLUME",
            "controller.EXPAND_VOLUME",
            "controller.GET_CAPACITY",
            "controller.GET_SNAPSHOT",
            "controller.GET_VOLUME",
            "controller.GET_VOLUME_HEALTH",
            "controller.LIST_SNAPSHOTS",
            "controller.LIST_VOLUMES",
            "controller.LIST_VOLUMES_PUBLISHED_NODES",
            "controller.LIST_VOLUME_HEALTH",
            "controller.MODIFY_VOLUME",
            "controller.PUBLISH_READONLY",
            "controller.PUBLISH_UNPUBLISH_VOLUME",
            "controller.SINGLE_NODE_MULTI_WRITER",
            "controller.VOLUME_CONDITION",
            "expansion.OFFLINE",
            "expansion.ONLINE",
            "group.CREATE_DELETE_GET_VOLUME_GROUP_SNAPSHOT",
            "node.EXPAND_VOLUME",
            "node.GET_STORAGE_HEALTH",
            "node.GET_VOLUME_HEALTH",
            "node.GET_VOLUME_STATS",
            "node.SINGLE_NODE_MULTI_WRITER",
            "node.STAGE_UNSTAGE_VOLUME",
            "node.VOLUME_CONDITION",
            "node.VOLUME_MOUNT_GROUP",
            "plugin.CONTROLLER_SERVICE",
            "plugin.GROUP_CONTROLLER_SERVICE",
            "plugin.SNAPSHOT_ACCESSIBILITY_CONSTRAINTS",
            "plugin.SNAPSHOT_METADATA_SERVICE",
            "plugin.VOLUME_ACCESSIBILITY_CONSTRAINTS"));

    /** Not a capability: while it is on, the driver ignores fields that 1.12 does not have. */
    public static final String SPEAKS_112 = "speaks.1.12";

    /** Capabilities that 1.13 added. */
    private static final List<String> NEW = List.of(
            "controller.GET_VOLUME_HEALTH",
            "controller.LIST_VOLUME_HEALTH",
            "node.GET_STORAGE_HEALTH",
            "node.GET_VOLUME_HEALTH",
            "plugin.SNAPSHOT_ACCESSIBILITY_CONSTRAINTS");

    /** Capabilities that 1.13 removed. */
    private static final List<String> OLD = List.of("controller.VOLUME_CONDITION", "node.VOLUME_CONDITION");

    private static final Map<String, List<String>> GROUPS = groupTable();

    private final Set<String> on;

    private Switches(Set<String> on) {
        this.on = Collections.unmodifiableSet(on);
    }

    /** All capabilities of CSI 1.13, with online expansion. */
    public static Switches all() {
        Switches all = new Switches(new TreeSet<>(ALL)).without("expansion.OFFLINE");
        for (String old : OLD) {
            all = all.without(old);
        }
        return all;
    }

    /** The same for a driver of CSI 1.12: conditions of volumes instead of health calls. */
    public Switches of112() {
        Set<String> other = new TreeSet<>(on);
        NEW.forEach(other::remove);
        other.add(SPEAKS_112);
        if (has("controller.GET_VOLUME_HEALTH")) {
            other.add("controller.VOLUME_CONDITION");
        }
        if (has("node.GET_VOLUME_HEALTH")) {
            other.add("node.VOLUME_CONDITION");
        }
        return new Switches(other);
    }

    /** Only a node service that publishes mounted volumes. */
    public static Switches none() {
        return new Switches(new TreeSet<>(Set.of("access.MOUNT")));
    }

    /** Short names for groups of capabilities, such as {@code attach}, with their members. */
    public static Map<String, List<String>> groups() {
        return GROUPS;
    }

    /** Every named switch. */
    public static Set<String> names() {
        return Collections.unmodifiableSet(ALL);
    }

    public boolean has(String name) {
        return on.contains(name);
    }

    /** The same with this one on. @throws IllegalArgumentException if the name is unknown */
    public Switches with(String name) {
        Set<String> more = new TreeSet<>(on);
        more.addAll(expand(name));
        return new Switches(more);
    }

    /** The same with this one off. @throws IllegalArgumentException if the name is unknown */
    public Switches without(String name) {
        Set<String> fewer = new TreeSet<>(on);
        fewer.removeAll(expand(name));
        return new Switches(fewer);
    }

    /** The names after the dot of all switches of that kind that are on, numbers included. */
    public List<String> of(String kind) {
        List<String> found = new ArrayList<>();
        for (String name : on) {
            if (name.startsWith(kind + ".")) {
                found.add(name.substring(kind.length() + 1));
            }
        }
        return found;
    }

    private static List<String> expand(String name) {
        List<String> group = GROUPS.get(name);
        if (group != null) {
            return group;
        }
        if (ALL.contains(name) || name.matches("(plugin|expansion|controller|node|group)\\.[0-9]{1,9}")) {
            return List.of(name);
        }
        throw new IllegalArgumentException("no capability is called \"" + name + "\"");
    }

    private static Map<String, List<String>> groupTable() {
        Map<String, List<String>> groups = new LinkedHashMap<>();
        groups.put(
                "attach",
                List.of(
                        "controller.PUBLISH_UNPUBLISH_VOLUME",
                        "controller.PUBLISH_READONLY",
                        "controller.LIST_VOLUMES_PUBLISHED_NODES"));
        groups.put("stage", List.of("node.STAGE_UNSTAGE_VOLUME"));
        groups.put("expand", List.of("controller.EXPAND_VOLUME", "node.EXPAND_VOLUME", "expansion.ONLINE"));
        groups.put(
                "snapshot",
                List.of(
                        "controller.CREATE_DELETE_SNAPSHOT",
                        "controller.LIST_SNAPSHOTS",
                        "controller.GET_SNAPSHOT",
                        "group.CREATE_DELETE_GET_VOLUME_GROUP_SNAPSHOT",
                        "plugin.GROUP_CONTROLLER_SERVICE",
                        "plugin.SNAPSHOT_METADATA_SERVICE"));
        groups.put(
                "topology",
                List.of("plugin.VOLUME_ACCESSIBILITY_CONSTRAINTS", "plugin.SNAPSHOT_ACCESSIBILITY_CONSTRAINTS"));
        groups.put("clone", List.of("controller.CLONE_VOLUME"));
        groups.put("modify", List.of("controller.MODIFY_VOLUME"));
        groups.put("list", List.of("controller.LIST_VOLUMES", "controller.GET_VOLUME"));
        groups.put("capacity", List.of("controller.GET_CAPACITY"));
        groups.put("stats", List.of("node.GET_VOLUME_STATS"));
        groups.put(
                "health",
                List.of(
                        "controller.GET_VOLUME_HEALTH",
                        "controller.LIST_VOLUME_HEALTH",
                        "node.GET_STORAGE_HEALTH",
                        "node.GET_VOLUME_HEALTH"));
        groups.put("condition", OLD);
        groups.put("single-writer", List.of("controller.SINGLE_NODE_MULTI_WRITER", "node.SINGLE_NODE_MULTI_WRITER"));
        groups.put("mount", List.of("access.MOUNT"));
        groups.put("block", List.of("access.BLOCK"));
        groups.put("ephemeral", List.of("access.EPHEMERAL"));
        return Collections.unmodifiableMap(groups);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Switches that && on.equals(that.on);
    }

    @Override
    public int hashCode() {
        return on.hashCode();
    }

    @Override
    public String toString() {
        return String.join(" ", on);
    }
}
