package io.volume4j.inmemory.scenario;

import io.volume4j.inmemory.plugin.Capability;
import io.volume4j.inmemory.plugin.InMemoryPlugin;
import io.volume4j.inmemory.plugin.InMemoryPluginBuilder;
import io.volume4j.inmemory.plugin.InMemoryStorage;
import io.volume4j.spi.model.NameRule;
import io.volume4j.spi.plugin.EffectModel;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The in-memory plugin of a scenario. */
final class WantedPlugin {
    /** The keys of its description. */
    static final Set<String> KEYS = new LinkedHashSet<>(List.of(
            "name",
            "attach",
            "deviceMount",
            "provision",
            "delete",
            "recycle",
            "expand",
            "nodeExpand",
            "expandOnline",
            "nodeExpandOnline",
            "nodeExpandBeforePods",
            "nodeExpandRequired",
            "remount",
            "seLinux",
            "modify",
            "block",
            "observe",
            "snapshot",
            "groupSnapshot",
            "healthList",
            "accessModes",
            "snapshotLooks",
            "snapshotProgress",
            "bytes",
            "largestVolume",
            "mountOptions",
            "dataSources",
            "unordered",
            "maxVolumes",
            "registersNodes"));

    private WantedPlugin() {}

    /** Rejects invalid descriptions, and two plugins of one name. */
    static void check(List<Value> plugins) {
        Set<String> names = new HashSet<>();
        for (Value plugin : plugins) {
            check(plugin);
            Value name = plugin.require("name");
            if (!names.add(name.text())) {
                throw name.error("two plugins are called \"" + name.text() + "\": give each a name of its own");
            }
        }
    }

    /** Rejects an invalid description by building the plugin. */
    static void check(Value wanted) {
        wanted.fields(KEYS);
        Value name = wanted.require("name");
        if (!NameRule.QUALIFIED.allows(name.text())) {
            throw name.error("the name of a plugin must be " + NameRule.QUALIFIED.description());
        }
        for (String number : List.of("bytes", "largestVolume")) {
            Value value = wanted.get(number);
            if (value != null) {
                value.amount();
            }
        }
        Value looks = wanted.get("snapshotLooks");
        if (looks != null) {
            looks.count();
        }
        of(wanted, InMemoryStorage.create());
    }

    static InMemoryPlugin of(Value wanted, InMemoryStorage storage) {
        InMemoryPluginBuilder builder =
                InMemoryPlugin.builder(storage).name(wanted.require("name").text());
        if (says(wanted, "mountOptions", true)) {
            builder.mountOptions();
        }
        if (says(wanted, "dataSources", true)) {
            builder.dataSources();
        }
        if (says(wanted, "snapshotProgress", false)) {
            builder.tellsNoProgress();
        }
        if (says(wanted, "expandOnline", false)) {
            builder.growsOffline();
        }
        if (says(wanted, "nodeExpandOnline", false)) {
            builder.expandsOffline();
        }
        if (says(wanted, "nodeExpandBeforePods", false)) {
            builder.expandsUnderPods();
        }
        if (says(wanted, "nodeExpandRequired", true)) {
            builder.asksForNodes();
        }
        if (says(wanted, "remount", true)) {
            builder.requiresRemount();
        }
        if (says(wanted, "seLinux", true)) {
            builder.labels();
        }
        if (says(wanted, "registersNodes", true)) {
            builder.registersNodes();
        }
        Value most = wanted.get("maxVolumes");
        if (most != null) {
            builder.saysLimit(most.number());
        }
        Value horizon = wanted.get("unordered");
        if (horizon != null) {
            builder.effectModel(EffectModel.unordered(horizon.duration()));
        }
        Value modes = wanted.get("accessModes");
        if (modes != null) {
            builder.accessModes(modes.items().stream().map(Names::accessMode).toList());
        }
        InMemoryPlugin plugin = builder.build();
        wanted.fields().forEach((key, value) -> {
            Capability capability = capability(key);
            if (capability != null) {
                plugin.set(capability, value.truth());
            }
        });
        return plugin;
    }

    private static boolean says(Value plugin, String key, boolean wanted) {
        Value said = plugin.get(key);
        return said != null && said.truth() == wanted;
    }

    private static @Nullable Capability capability(String key) {
        return switch (key) {
            case "attach" -> Capability.ATTACH;
            case "deviceMount" -> Capability.DEVICE_MOUNT;
            case "provision" -> Capability.PROVISION;
            case "delete" -> Capability.DELETE;
            case "recycle" -> Capability.RECYCLE;
            case "expand" -> Capability.EXPAND;
            case "nodeExpand" -> Capability.NODE_EXPAND;
            case "modify" -> Capability.MODIFY;
            case "block" -> Capability.BLOCK;
            case "observe" -> Capability.OBSERVE;
            case "snapshot" -> Capability.SNAPSHOT;
            case "groupSnapshot" -> Capability.GROUP_SNAPSHOT;
            case "healthList" -> Capability.HEALTH_LIST;
            default -> null;
        };
    }
}
