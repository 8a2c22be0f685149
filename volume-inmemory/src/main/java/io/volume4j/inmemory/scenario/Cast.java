package io.volume4j.inmemory.scenario;

import io.volume4j.inmemory.plugin.InMemoryPlugin;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.Kind;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The nodes, processes and plugins of a scenario. A step or an expectation with an unknown name is rejected before the
 * run: it would do nothing, or always hold.
 */
final class Cast {
    private final Set<String> nodes = new LinkedHashSet<>();
    private final Set<String> processes = new LinkedHashSet<>();
    private final Set<String> plugins = new LinkedHashSet<>();
    private final boolean visits;

    Cast(Scenario scenario) {
        visits = scenario.syncsOnce();
        nodes.addAll(scenario.nodes());
        scenario.given().forEach(this::add);
        if (scenario.components().contains(Scenario.NODE)) {
            scenario.nodes().forEach(node -> processes.add("node/" + node));
        }
        if (scenario.hasControllers()) {
            processes.addAll(Set.of("controller", "controller/1", "controller/2"));
        }
        for (Value outside : scenario.outside()) {
            processes.add(Scenario.role(outside).word() + "/"
                    + outside.onlyField().getValue().text());
        }
        scenario.plugins().forEach(plugin -> plugins.add(plugin.require("name").text()));
        if (plugins.isEmpty()) {
            plugins.add(InMemoryPlugin.DEFAULT_NAME);
        }
    }

    private void add(ApiObject object) {
        if (object.kind() == Kind.NODE) {
            nodes.add(object.metadata().name());
        }
    }

    /** Rejects a step with a name that does not exist at that time. */
    void check(Step step) {
        Value value = step.value();
        switch (step.kind()) {
            case APPLY -> add(Scenario.object(value));
            case REGISTER -> plugins.add(value.require("name").text());
            case FAIL -> {
                known("plugin", plugins, value.get("plugin"));
                known("node", nodes, value.get("node"));
            }
            case HEAL -> known("plugin", plugins, value.get("plugin"));
            case LOSE, FENCE -> known("node", nodes, value.get("node"));
            case CRASH, RESTART, PARTITION, JOIN -> known("process", processes, value);
            case REBOOT -> {
                known("process", processes, value);
                if (!value.text().startsWith("node/")) {
                    throw value.error("only a node can be rebooted: node/NAME");
                }
            }
            case LEADER_CHANGE -> {
                known("process", processes, value);
                if (!value.text().equals("controller")) {
                    throw value.error("the lead is that of the controllers: write controller");
                }
            }
            case BEFORE -> value.require("do").items().forEach(item -> check(Step.of(item)));
            case VISIT -> {
                if (!visits) {
                    throw value.error("controllers look at objects by themselves here: add \"sync: once\" to the file");
                }
            }
            case EXPECT -> check(Expectation.of(value));
            default -> {}
        }
    }

    void check(Expectation expectation) {
        switch (expectation.kind()) {
            case MOUNTED, UNMOUNTED ->
                known("node", nodes, expectation.subject().get("node"));
            default -> {}
        }
    }

    private static void known(String what, Collection<String> all, @Nullable Value name) {
        if (name != null && !all.contains(name.text())) {
            throw name.unknown(what + " of this scenario", all);
        }
    }
}
